"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def EagerPyFunc(*, input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], is_async: bool | None = False, name: str | None = None) -> list[Tensor]:
    """Calls a Python function as PyFunc does, but with eager tensors, on which the function calls ops eagerly, as arguments and results."""

def PyFunc(*, input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]:
    """Calls the Python function registered as `token` with NumPy arrays of the values of `input`, and returns its results."""

def PyFuncStateless(*, input: Sequence[TensorLike], token: str | bytes, Tout: Sequence[DTypeLike], name: str | None = None) -> list[Tensor]:
    """Calls a Python function as PyFunc does. The function must have no side effects and return equal results for equal arguments."""
