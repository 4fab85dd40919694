"""Further variables of a loop that is built already: counters and sums, which gradients need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tinytf.framework import nest
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape
from tinytf.ops.control_flow.primitives import enter, exit, merge, next_iteration, switch

if TYPE_CHECKING:
    from tinytf.ops.control_flow.while_context import WhileContext


def enter_variable(
    context: WhileContext, first: Tensor, name: str | None = None, shape: TensorShape | None = None
) -> Tensor:
    """The first value of a variable, inside; `shape` is what it has in all iterations, that of `first` if it is not given.

    Called, as all of this, where `context` is the default graph's.
    """
    context.AddName(first.name)
    entered = enter(first, context.name, False, context.parallel_iterations, name)
    entered.set_shape(first.get_shape() if shape is None else shape)
    context.loop_enters.append(entered)
    return entered


def exit_variable(context: WhileContext, last: Any, name: str | None = None) -> Any:
    """The value that a variable, which may be an IndexedSlices, has after the loop."""
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
    """What variables are in the iteration after one in which they are what `step` is given, and what they are at the end,
    still inside.

    Args:
      entered: what `enter_variable` gave.
    """
    merged = [merge([tensor, tensor], merge_name)[0] for tensor in entered]
    switched = [switch(tensor, context.pivot) for tensor in merged]
    nexts = [next_iteration(value) for value in step([on for _, on in switched])]
    for tensor, value in zip(merged, nexts, strict=True):
        tensor.op._set_input(1, value)
    return nexts, [off for off, _ in switched]
