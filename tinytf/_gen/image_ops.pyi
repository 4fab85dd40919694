"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def encode_png(image: TensorLike, compression: int | None = -1, name: str | None = None) -> Tensor: ...
