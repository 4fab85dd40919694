"""Loop variables that are added to an existing while loop: the counters and accumulators that gradients need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.control_flow.primitives import enter, exit, merge, next_iteration, switch

if TYPE_CHECKING:
    from tinytf._src.ops.control_flow.while_context import WhileContext


def enter_variable(
    context: WhileContext, first: Tensor, name: str | None = None, shape: TensorShape | None = None
) -> Tensor:
    """Returns the entered initial value of a new loop variable.

    `shape` is the shape in all iterations; it defaults to that of `first`. As for all functions here, `context` must be
    the current control flow context of the default graph.
    """
    context.AddName(first.name)
    entered = enter(first, context.name, False, context.parallel_iterations, name)
    entered.set_shape(first.get_shape() if shape is None else shape)
    context.loop_enters.append(entered)
    return entered


def exit_variable(context: WhileContext, last: Any, name: str | None = None) -> Any:
    """Returns the final value of a loop variable, a tensor or IndexedSlices, outside the loop."""
    result = exit(last, name)
    context.loop_exits.extend(nest.flatten(result, expand_composites=True))
    context.ExitResult([result])
    return result


def iterate(
    context: WhileContext,
    entered: Sequence[Tensor],
    step: Callable[[list[Tensor]], Sequence[Tensor]],
    merge_name: str | None = None,
) -> tuple[list[Tensor], list[Tensor]]:
    """Builds the iteration of loop variables: `step` maps their values in one iteration to those in the next.

    Returns the values of the next iteration, and the final values, still inside the loop. `entered` comes from
    `enter_variable`.
    """
    merged = [merge([tensor, tensor], merge_name)[0] for tensor in entered]
    switched = [switch(tensor, context.pivot) for tensor in merged]
    nexts = [next_iteration(value) for value in step([on for _, on in switched])]
    for tensor, value in zip(merged, nexts, strict=True):
        tensor.op._set_input(1, value)
    return nexts, [off for off, _ in switched]
