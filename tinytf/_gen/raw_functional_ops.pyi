"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def PartitionedCall(*, args: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, config: str | bytes | None = '', config_proto: str | bytes | None = '', executor_type: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """What the function `f`, which is not stateful, yields for `args`."""

def StatefulPartitionedCall(*, args: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, config: str | bytes | None = '', config_proto: str | bytes | None = '', executor_type: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """What the function `f`, which may be stateful, yields for `args`."""
