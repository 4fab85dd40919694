"""Construction of a while loop from its variables, condition and body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.composites.composite import is_composite
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.ops.control_flow.context import is_constant_enter
from tinytf._src.ops.control_flow.primitives import (
    enter,
    exit,
    identity,
    merge,
    next_iteration,
    own_tensor,
    switch_beside,
)
from tinytf._src.ops.control_flow.shape_invariants import check_invariant, invariant_of, set_invariants
from tinytf._src.ops.control_flow.summaries import with_summaries
from tinytf._src.ops.control_flow.tensor_arrays import flow_of, with_flows
from tinytf._src.ops.control_flow.while_context import WhileContext


def build_loop(
    context: WhileContext,
    condition: Callable[..., Any],
    body: Callable[..., Any],
    variables: Any,
    shape_invariants: Any,
    return_same_structure: bool,
) -> Any:
    """Builds a loop and returns the final values of its variables, in the structure that `body` returns.

    `variables` are the initial values. `shape_invariants` has the same structure, or is None for the initial shapes. A
    single variable is returned without its structure unless `return_same_structure` is True.
    """
    given = [_as_variable(flow_of(value)) for value in nest.flatten(variables)]
    if shape_invariants is None:
        shape_invariants = [invariant_of(value) for value in given]
    first = nest.flatten(given, expand_composites=True)
    context.Enter()
    try:
        entered = _enter_variables(context, first, shape_invariants)
        result, exits = _build(context, condition, body, variables, entered)
    finally:
        context.Exit()
    last = with_flows(nest.flatten(result, expand_composites=True), exits)
    packed = nest.pack_sequence_as(result, last, expand_composites=True)
    return packed[0] if len(exits) == 1 and not return_same_structure else packed


def _as_variable(value: Any) -> Any:
    return value if is_composite(value) else own_tensor(value)


def _enter_variables(context: WhileContext, first: Sequence[Tensor], shape_invariants: Any) -> list[Tensor]:
    """Returns the Enter outputs of the variables."""
    outer = context.outer_context
    context._values = {value.name for value in first}
    outside = list(first) if outer is None else [outer.AddValue(value) for value in first]
    with control_dependencies(None):
        entered = [enter(value, context.name, False, context.parallel_iterations) for value in outside]
    pivot = None if outer is None else outer.GetControlPivot()
    if pivot is not None:
        for tensor in entered:
            if is_constant_enter(tensor.op.inputs[0].op):
                tensor.op._add_control_input(pivot.op)
    set_invariants(outside, entered, shape_invariants)
    context._take_enters(entered)
    context._values = {tensor.name for tensor in entered}
    context._loop_enters = entered
    return entered


def _build(
    context: WhileContext,
    condition: Callable[..., Any],
    body: Callable[..., Any],
    variables: Any,
    entered: Sequence[Tensor],
) -> tuple[Any, list[Tensor]]:
    """Returns the result of `body` and the Exit outputs of the variables."""
    leaves = nest.flatten(variables, expand_composites=True)

    def as_given(tensors: Sequence[Tensor]) -> Any:
        return nest.pack_sequence_as(variables, with_flows(leaves, tensors), expand_composites=True)

    # The second input is a placeholder: the value of the previous iteration does not exist yet.
    merged = [merge([tensor, tensor])[0] for tensor in entered]
    context._pivot_for_pred = merged[0]
    context._pivot = gen_ops.loop_cond(own_tensor(condition(*as_given(merged))), name="LoopCond")
    switched = [switch_beside(tensor, context._pivot) for tensor in merged]
    inside = [identity(on) for _, on in switched]
    context._pivot_for_body = inside[0]
    arguments = as_given(inside)
    result = with_summaries(body, *arguments)
    if not nest.is_nested_or_composite(result):
        result = [result]
    nest.assert_same_structure(list(arguments), list(result), expand_composites=True)
    values = [own_tensor(flow_of(value)) for value in nest.flatten(result, expand_composites=True)]
    for variable, value in zip(merged, values, strict=True):
        back = next_iteration(value)
        check_invariant(variable, back)
        variable.op._set_input(1, back)
    exits = [exit(off) for off, _ in switched]
    context._loop_exits = exits
    context.ExitResult(exits)
    return result, exits
