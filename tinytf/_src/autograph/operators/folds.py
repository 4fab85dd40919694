"""Staged `for` loops over datasets and iterators, which know themselves how a graph runs over their elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeGuard

from tinytf._src.autograph.operators.logic import none_of
from tinytf._src.autograph.operators.loop_variables import check_defined, check_iteration
from tinytf._src.autograph.operators.tensors import as_tensor, becomes_tensor
from tinytf._src.autograph.operators.variables import Variables
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops.control_flow.tensor_arrays import flow_of, with_flows

_Values = tuple[Any, ...]


class Foldable(Protocol):
    """Elements over which a loop of the graph runs."""

    _fold_keeps_shapes: bool  # whether the values may not change their static shapes

    def _fold(
        self, start: _Values, step: Callable[[_Values, Any], _Values], goes_on: Callable[[_Values], Any] | None
    ) -> _Values:
        """Returns `step(… step(step(start, element 0), element 1) …)`: tuples of tensors. If `goes_on`
        is given, it stops where `goes_on(values)`, a scalar bool tensor, is false before an element."""


def is_foldable(value: Any) -> TypeGuard[Foldable]:
    """Whether a loop over the value becomes a fold in the graph."""
    return hasattr(type(value), "_fold") and not executing_eagerly()


def folded(
    elements: Foldable,
    body: Callable[[Any], None],
    variables: Variables,
    exits: Callable[[], tuple[Any, ...]] | None,
) -> None:
    """Builds a staged loop over the elements; see `for_stmt`."""
    check_defined(variables)
    before = variables.read()
    start = [nest.map_structure(_to_tensor, value) for value in variables.read_needed()]

    def enter(values: _Values) -> None:
        variables.write_needed(_packed(start, values))
        variables.forget_others()

    def step(values: _Values, element: Any) -> _Values:
        enter(values)
        old = variables.read_needed()
        body(element)
        new = variables.read_needed()
        check_iteration(variables.needed, old, new, elements._fold_keeps_shapes)
        return _flat(new) or values

    def goes_on(values: _Values) -> Any:
        assert exits is not None
        enter(values)
        return none_of(*exits())

    try:
        results = elements._fold(_flat(start) or (constant(0),), step, goes_on if exits else None)
    finally:
        variables.write(before)
    enter(results)


def _to_tensor(value: Any) -> Any:
    return as_tensor(value) if becomes_tensor(value) else value


def _flat(values: Sequence[Any]) -> _Values:
    return tuple(flow_of(leaf) for leaf in nest.flatten(list(values), expand_composites=True))


def _packed(structure: list[Any], values: _Values) -> list[Any]:
    """Returns the variables in the structure that they had before the loop. A loop without variables has one value, which
    is no part of it."""
    leaves = nest.flatten(structure, expand_composites=True)
    if not leaves:
        return structure
    packed: list[Any] = nest.pack_sequence_as(structure, with_flows(leaves, values), expand_composites=True)
    return packed
