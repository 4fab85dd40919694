"""`LoopsOfWalk`: the loops on a backward walk, each of which is entered from all its exits at once."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.gradients.loop_gradient import LoopGradient
from tinytf._src.gradients.missing_gradients import zeros_for_output, zeros_in_loop, zeros_of_exit
from tinytf._src.gradients.trainable import is_trainable
from tinytf._src.ops import array_ops
from tinytf._src.ops.control_flow.context import inside
from tinytf._src.ops.control_flow.primitives import next_iteration
from tinytf._src.ops.control_flow.while_context import WhileContext


class _Ends:
    """The exits of a loop on a walk. The walk enters the loop when all of them have their gradients or are known to get
    none."""

    def __init__(self, state: LoopGradient, exits: list[Tensor]) -> None:
        self.state = state
        self.exits = exits  # exits of loop variables, not of the counters that gradients add
        self.missing = len(exits)
        self.waiting: list[Tensor] = []
        self.unused: list[Tensor] = []


class LoopsOfWalk:
    """The loops on a walk, by context. Its methods must be called in the context in which the gradients were
    requested."""

    def __init__(self, between: list[Operation], colocate: bool) -> None:
        """Finds the loops whose exits are in `between`, and adds their other exits to it."""
        self._ends: dict[Any, _Ends] = {}
        members = set(between)
        for op in between:  # the list grows during the iteration
            if op._spec.control_flow == "exit":
                with colocate_with(op) if colocate else contextlib.nullcontext():
                    for other in self._add(op):
                        if other.op not in members:
                            members.add(other.op)
                            between.append(other.op)

    def _add(self, op: Operation) -> list[Tensor]:
        """The exits of an operation's loop, if the loop is new; else an empty list."""
        forward = _loop_of(op._get_control_flow_context())
        if forward is None:
            raise AttributeError(
                f"'NoneType' object has no attribute 'outer_context': gradients cannot pass the loop that ends at "
                f"'{op.name}', because the graph has no WhileContext for it. Import the graph with import_meta_graph, which "
                "restores the context; import_graph_def does not."
            )
        if forward in self._ends:
            return []
        around = self._ends.get(_loop_of(forward.outer_context))
        exits = list(forward.loop_exits)
        state = LoopGradient(forward, None if around is None else around.state)
        self._ends[forward] = _Ends(state, exits)
        return exits

    def state_of(self, op: Operation, before: bool = False) -> LoopGradient | None:
        """The state of the loop for which the gradients of an operation are computed; with `before`, the gradients of
        its outputs."""
        if not self._ends:
            return None
        context = _loop_of(op._get_control_flow_context())
        if before and context is not None and op._spec.control_flow == "exit":
            context = _loop_of(context.outer_context)
        found = self._ends.get(context)
        return None if found is None else found.state

    def is_variable(self, op: Operation) -> bool:
        """Whether the operation is the Switch of a loop variable, which a walk visits twice: for the next iteration and
        for the loop's exit."""
        return op._spec.control_flow == "switch" and isinstance(op._get_control_flow_context(), WhileContext)

    def check_inside(self, op: Operation, xs: list[Tensor]) -> None:
        """Raises ValueError if gradients requested inside a loop would have to flow to the previous iteration."""
        if self.is_variable(op) and self.state_of(op) is None:
            raise ValueError(
                f"Cannot compute gradient inside while loop with respect to op '{_first_of(xs, op).name}'. We do not support "
                "taking the gradient wrt or through the initial value of a loop variable. Gradients can be computed through "
                "loop invariants or wrt the input parameters to the loop body."
            )

    def begin(
        self, pending: dict[Operation, int], begun: set[Operation], set_gradient: Callable[[Tensor, Any], None]
    ) -> Iterable[Operation]:
        """Yields exits of loops that no operation of the walk consumes, because they are ys or belong to the same loop
        as ys."""
        ready: list[Tensor] = []
        for ends in self._ends.values():
            for tensor in ends.exits:
                if not pending.get(tensor.op):
                    ends.missing -= 1
                    if tensor.op not in begun:
                        ends.unused.append(tensor)
                    if ends.missing == 0:
                        ready += ends.unused
            for tensor in ends.state.forward.loop_enters:
                if not pending.get(tensor.op):
                    pending[tensor.op] = 1
        for tensor in ready:
            if is_trainable(tensor):
                set_gradient(tensor, self._zeros_of_exit(tensor))
                yield tensor.op

    def arrived(
        self, exit: Tensor, has_gradient: Callable[[Operation], bool], set_gradient: Callable[[Tensor, Any], None]
    ) -> Iterable[Operation]:
        """Yields the exits of a loop that can be visited now that another one, `exit`, has all its gradients."""
        ends = self._ends[_loop_of(exit.op._get_control_flow_context())]
        ends.waiting.append(exit)
        ends.missing -= 1
        if ends.missing:
            return
        used = [tensor for tensor in ends.waiting if has_gradient(tensor.op)]
        for tensor in used:
            yield tensor.op
        ends.unused += [tensor for tensor in ends.waiting if tensor not in used]
        for tensor in ends.unused:
            if used and is_trainable(tensor):
                set_gradient(tensor, self._zeros_of_exit(tensor))
            yield tensor.op

    def _zeros_of_exit(self, tensor: Tensor) -> Tensor:
        return zeros_of_exit(self.state_of(tensor.op, before=True), tensor)

    def zeros_for_output(self, op: Operation, index: int) -> Any:
        """Zeros like an output that got no gradient, or None."""
        state = self.state_of(op)
        return zeros_for_output(op, index) if state is None else zeros_in_loop(state, op, index)

    def finish(self) -> None:
        """Feeds zeros back for loop variables whose gradient does not depend on the previous iteration."""
        for ends in self._ends.values():
            for merged in ends.state.merges.values():
                tensor = merged.values if isinstance(merged, IndexedSlices) else merged
                first, back = tensor.op.inputs
                if first is back:
                    tensor.op._set_input(1, _no_gradient(ends.state, first))


def _no_gradient(state: LoopGradient, entered: Tensor) -> Tensor:
    if entered.shape.is_fully_defined():
        with inside(state.backward):
            return next_iteration(constant(0, entered.dtype, shape=entered.shape))
    with inside(state.backward.outer_context):
        zeros = array_ops.zeros(array_ops.shape_internal(entered.op.inputs[0], optimize=False), entered.dtype)
    with inside(state.backward):
        return next_iteration(zeros)


def _loop_of(context: Any) -> Any:
    return None if context is None else context.GetWhileContext()


def _first_of(xs: list[Tensor], op: Operation) -> Operation:
    """The nearest operation of `xs` on which `op` depends."""
    wanted = {x.op for x in xs}
    seen: set[Operation] = set()
    queue = deque([op])
    while queue:
        op = queue.popleft()
        if op in wanted:
            break
        if op not in seen:
            seen.add(op)
            queue.extend(tensor.op for tensor in op.inputs)
    return op
