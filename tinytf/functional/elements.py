"""What is mapped, folded and scanned: elements along the first dimension of tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape
from tinytf.ops.array.shape_ops import shape
from tinytf.variables.scope_defaults import get_variable_scope


def check_callable(function: Any) -> None:
    """TypeError for what is no function."""
    if not callable(function):
        raise TypeError("fn must be callable.")


@contextmanager
def elements_scope(name: str | None, default: str, values: Any) -> Iterator[None]:
    """A name scope, in which variables are read where they are used."""
    with name_scope(name, default, values):
        scope = None if executing_eagerly() else get_variable_scope()
        if scope is None or scope.caching_device is not None:
            yield
            return
        scope.set_caching_device(lambda op: op.device)
        try:
            yield
        finally:
            scope.set_caching_device(None)


def as_tensors(values: Sequence[Any]) -> list[Tensor]:
    """The tensors that hold elements."""
    return [convert_to_tensor(value, name="elem") for value in values]


def first_dimension(tensor: Tensor) -> Any:
    """Its size: an int where it is known, else a tensor."""
    known = tensor.shape[0].value
    return shape(tensor)[0] if known is None else known


def stacked(arrays: Sequence[Any], elements: Sequence[Tensor]) -> list[Tensor]:
    """The results in TensorArrays as tensors, as many as there are elements. ValueError if the numbers of elements differ."""
    number = TensorShape([None])
    for tensor in elements:
        number = number.merge_with(tensor.shape.with_rank_at_least(1)[:1])
    results = [array.stack() for array in arrays]
    if not executing_eagerly():
        for result in results:
            result.set_shape(number.concatenate(result.shape[1:]))
    return results
