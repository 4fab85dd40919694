"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def partitioned_call(args: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, config: str | bytes | None = '', config_proto: str | bytes | None = '', executor_type: str | bytes | None = '', name: str | None = None) -> list[Tensor]: ...
def stateful_partitioned_call(args: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, config: str | bytes | None = '', config_proto: str | bytes | None = '', executor_type: str | bytes | None = '', name: str | None = None) -> list[Tensor]: ...
