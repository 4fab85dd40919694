"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def ControlTrigger(*, name: str | None = None) -> Operation:
    """NoOp that is alive even where its inputs are dead."""

def NoOp(*, name: str | None = None) -> Operation:
    """Does nothing; a place for control edges to meet."""
