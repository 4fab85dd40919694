"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def assert_(condition: TensorLike, data: Sequence[TensorLike], summarize: int | None = 3, name: str | None = None) -> Operation: ...
def print(input: TensorLike, data: Sequence[TensorLike], message: str | bytes | None = '', first_n: int | None = -1, summarize: int | None = 3, name: str | None = None) -> Tensor: ...
def print_v2(input: TensorLike, output_stream: str | bytes | None = 'stderr', end: str | bytes | None = '\n', name: str | None = None) -> Operation: ...
