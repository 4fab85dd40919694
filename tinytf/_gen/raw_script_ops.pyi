"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def EagerPyFunc(*, input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], is_async: bool | None = False, name: str | None = None) -> list[Tensor]:
    """PyFunc for a function that gets and returns tensors with values, and calls ops eagerly."""

def PyFunc(*, input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]:
    """What the Python function that is registered as `token` returns for arrays with the values of `input`."""

def PyFuncStateless(*, input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]:
    """PyFunc for a function that returns the same for the same arrays and does nothing else."""
