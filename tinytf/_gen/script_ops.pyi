"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def eager_py_func(input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], is_async: bool | None = False, name: str | None = None) -> list[Tensor]: ...
def py_func(input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]: ...
def py_func_stateless(input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]: ...
