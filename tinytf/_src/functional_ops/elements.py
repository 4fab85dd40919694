"""Shared helpers of map, folds and scan; elements are the slices of tensors along dimension 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.variables.scope_defaults import get_variable_scope


def check_callable(function: Any) -> None:
    """Raises TypeError if `function` is not callable."""
    if not callable(function):
        raise TypeError("fn must be callable.")


@contextmanager
def elements_scope(name: str | None, default: str, values: Any) -> Iterator[None]:
    """Enters a name scope in which variables are cached on the device that reads them."""
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
    """Converts the values to tensors."""
    return [convert_to_tensor(value, name="elem") for value in values]


def first_dimension(tensor: Tensor) -> Any:
    """The size of dimension 0: an int if it is static, else a tensor."""
    known = tensor.shape[0].value
    return shape(tensor)[0] if known is None else known


def stacked(arrays: Sequence[Any], elements: Sequence[Tensor]) -> list[Tensor]:
    """Stacks the results in TensorArrays, and sets their static number of elements. Raises ValueError if the `elements`
    tensors differ in size along dimension 0."""
    number = TensorShape([None])
    for tensor in elements:
        number = number.merge_with(tensor.shape.with_rank_at_least(1)[:1])
    results = [array.stack() for array in arrays]
    if not executing_eagerly():
        for result in results:
            result.set_shape(number.concatenate(result.shape[1:]))
    return results
