"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def eager_py_func(input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], is_async: bool | None = False, name: str | None = None) -> list[Tensor]: ...
def py_func(input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]: ...
def py_func_stateless(input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]: ...
