"""`LoopGradient`: one loop of one walk, and the loop that computes its gradients."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework.constant_op import constant
from tinytf.framework.constant_value import constant_value
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.name_scope import colocate_with, control_dependencies
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.gradients.loop_counters import count_down, count_iterations
from tinytf.gradients.stack_sizes import stack_size
from tinytf.ops.control_flow.cond_context import CondContext
from tinytf.ops.control_flow.context import inside, is_constant_enter, is_copy, output_context
from tinytf.ops.control_flow.primitives import switch_beside
from tinytf.ops.control_flow.while_context import WhileContext


class LoopGradient:
    """Leads values of a loop into the loop that goes back, where iterations come in reverse.

    What is constant is there as it is outside. Anything else is put on a stack by each iteration, and taken off by the one
    that goes back through it; operations that wait for each other keep both in order.

    The loop that goes back is built in the default graph, which may be the body of a function that is built inside the
    forward loop's graph. Then the forward loop grows in its own graph, and the function captures the stacks.
    """

    def __init__(self, forward: WhileContext, outer: LoopGradient | None) -> None:
        self.forward = forward
        self.outer = outer  # of the loop around, if the walk goes back through that, too
        self.merges: dict[
            Operation, Any
        ] = {}  # by Switch: gradients of a variable, from outside and from the iteration before
        self._recalled: dict[str, Tensor] = {}  # by the name of a tensor of `forward`: what it is in `backward`
        graph = get_default_graph()
        self._home: Any = graph._get_control_flow_context()
        self._forward_home: Any = forward._graph._get_control_flow_context()
        self._forward_sync: Operation | None = None
        self._backward_sync: Operation | None = None
        around = forward.outer_context if outer is None else outer.forward
        with self.in_forward(around):
            count, self._next = count_iterations(forward, None if outer is None else outer._count)
        if outer is None:
            with inside(around if forward._graph is graph else None):
                self.backward = self._backward_loop()
                self._next_back, _ = count_down(self.backward, graph._own(count))
            return
        around.AddName(count.name)
        counts = outer.push(count)
        with inside(outer.backward):
            self.backward = self._backward_loop()
            self._next_back, end = count_down(self.backward, outer.pop(counts, count))
        outer._sync_back()._add_control_input(end.op)

    def _backward_loop(self) -> WhileContext:
        forward = self.forward
        return WhileContext(
            forward.maximum_iterations,
            forward.parallel_iterations,
            forward.back_prop,
            forward.swap_memory,
            forward.name,
            grad_state=self,
        )

    @property
    def _count(self) -> Operation:
        """Counts the iteration of `forward`."""
        return self._next.op.inputs[0].op

    @contextmanager
    def in_forward(self, context: Any) -> Iterator[None]:
        """New operations are of the graph of `forward`, in a context of it; if that is None, in the one that it is in."""
        with self.forward._graph.as_default(), inside(context):
            yield

    @contextmanager
    def left(self) -> Iterator[None]:
        """The context is the one in which the gradients are asked for."""
        with _in_context(self._home):
            yield

    def recalled(self, value: Tensor) -> Tensor:
        """What stands for a tensor of `forward` in `backward`, whose context is the default graph's."""
        found = self._recalled.get(value.name)
        if found is None:
            found = self._recalled[value.name] = self._recall(value)
        return found

    def predicate(self, pred: Tensor) -> Tensor:
        """What the predicate of a branch in `forward` is in `backward`."""
        found = self._recalled.get(pred.name)
        if found is None:
            found = self._recalled[pred.name] = self.pop(self.push(pred), pred)
        return found

    def _recall(self, value: Tensor) -> Tensor:
        state = self
        while (enter := _constant_enter(value)) is not None:
            value = enter.inputs[0]
            if state.outer is None:
                return self.backward.AddValue(get_default_graph()._own(value))
            state = state.outer
        if value.op._spec.is_constant:
            return constant(constant_value(value), dtype=value.dtype)
        popped = state.pop(state.push(value), value)
        return popped if state is self else self.backward.AddValue(popped)

    def push(self, value: Tensor, on_other_branch: bool = False) -> Tensor:
        """Has each iteration of `forward` put a tensor of it on a new stack, whose handle it gives.

        With `on_other_branch` the tensor is there where the branch that it belongs to is not taken.
        """
        with self.in_forward(None), control_dependencies(None):
            with _in_context(self._forward_home), colocate_with(value):
                stack = gen_ops.stack_v2(stack_size(value, self.forward), value.dtype.base_dtype, name="f_acc")
            pushed = self._push(self.forward.AddValue(stack), value, on_other_branch)
            pushed._add_control_input(self._count)
            return stack

    def _push(self, stack: Tensor, value: Tensor, on_other_branch: bool) -> Operation:
        context = output_context(value.op)
        with inside(context.outer_context if on_other_branch else context):
            pushed = gen_ops.stack_push_v2(stack, value, swap_memory=self.forward.swap_memory).op
        if context is self.forward:
            self._next.op._add_control_input(pushed)
            return pushed
        if not isinstance(context, CondContext):
            raise TypeError(f"value_ctxt is not a CondContext: {context}")
        if on_other_branch:
            pushed._set_control_flow_context(context)
        self._sync_forward()._add_control_input(pushed)
        return pushed

    def pop(self, stack: Tensor, value: Tensor, on_other_branch: bool = False) -> Tensor:
        """What `push` put on a stack for `value`, in `backward`: the last that was not taken off yet."""
        branch = _branch_around(value.op._get_control_flow_context(), stack.op._get_control_flow_context())
        with control_dependencies(None), inside(self.backward):
            if branch is not None:
                taken = 1 - branch.branch if on_other_branch else branch.branch
                stack = switch_beside(stack, self._known_predicate(branch.pred))[taken]
            popped = gen_ops.stack_pop_v2(stack, value.dtype.base_dtype)
            popped.set_shape(value.get_shape())
        if self.backward.parallel_iterations > 1:
            self._sync_back()._add_control_input(popped.op)
        return popped

    def _known_predicate(self, pred: Tensor) -> Tensor:
        state: LoopGradient | None = self
        while state is not None:
            if pred.name in state._recalled:
                return state._recalled[pred.name]
            state = state.outer
        return pred

    def other_branch(self, zeros: Tensor, context: CondContext) -> Tensor:
        """Zeros, in `backward`, where the branch `context` of `forward` is not taken."""
        return switch_beside(zeros, self._known_predicate(context.pred))[1 - context.branch]

    def _sync_forward(self) -> Operation:
        """For what the next iteration of `forward` waits, whether it runs or is dead."""
        if self._forward_sync is None:
            with self.in_forward(None):
                self._forward_sync = _trigger("f_sync", self.forward)
            self._next.op._add_control_input(self._forward_sync)
        return self._forward_sync

    def _sync_back(self) -> Operation:
        """As `_sync_forward`, of `backward`."""
        if self._backward_sync is None:
            self._backward_sync = _trigger("b_sync", self.backward)
            self._next_back.op._add_control_input(self._backward_sync)
            if self.backward.outer_context is not None:
                self.backward.outer_context.AddInnerOp(self._backward_sync)
        return self._backward_sync


@contextmanager
def _in_context(context: Any) -> Iterator[None]:
    """A context, or none, is the default graph's."""
    graph = get_default_graph()
    here = graph._get_control_flow_context()
    graph._set_control_flow_context(context)
    try:
        yield
    finally:
        graph._set_control_flow_context(here)


def _trigger(name: str, context: WhileContext) -> Operation:
    with control_dependencies(None):
        op = gen_ops.control_trigger(name=name)
    op._set_control_flow_context(context)
    return op


def _constant_enter(value: Tensor) -> Operation | None:
    """What brings in the constant of a loop that a tensor is, maybe in a branch."""
    op = value.op
    while op._spec.control_flow == "switch" or is_copy(op):
        op = op.inputs[0].op
    return op if is_constant_enter(op) else None


def _branch_around(context: Any, end: Any) -> CondContext | None:
    """The innermost branch that a context is or is in, of those inside of `end`."""
    while context is not None and context is not end:
        if isinstance(context, CondContext):
            return context
        context = context.outer_context
    return None
