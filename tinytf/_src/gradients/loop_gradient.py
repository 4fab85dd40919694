"""`LoopGradient`: a loop on a backward walk, and the backward loop that computes its gradients."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, control_dependencies
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.gradients.loop_counters import count_down, count_iterations
from tinytf._src.gradients.stack_sizes import stack_size
from tinytf._src.ops.control_flow.cond_context import CondContext
from tinytf._src.ops.control_flow.context import inside, is_constant_enter, is_copy, output_context
from tinytf._src.ops.control_flow.primitives import switch_beside
from tinytf._src.ops.control_flow.while_context import WhileContext


class LoopGradient:
    """Makes values of a forward loop available in the backward loop, which runs the iterations in reverse.

    Loop invariants are read from outside of the loop. Each iteration pushes any other value on a stack, from which the
    backward iteration pops it; control inputs keep pushes and pops in order.

    The backward loop is built in the default graph, which may be a function body inside the forward loop's graph.
    Pushes are then added to the forward loop in its own graph, and the function captures the stacks.
    """

    def __init__(self, forward: WhileContext, outer: LoopGradient | None) -> None:
        self.forward = forward
        self.outer = outer  # for the enclosing loop, if the walk also passes through it
        self.merges: dict[
            Operation, Any
        ] = {}  # by Switch: merge of a variable's gradients, from outside and from the previous iteration
        self._recalled: dict[str, Tensor] = {}  # by name of a tensor in `forward`: its value in `backward`
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
        """The operation that counts the iterations of `forward`."""
        return self._next.op.inputs[0].op

    @contextmanager
    def in_forward(self, context: Any) -> Iterator[None]:
        """Context manager that creates operations in the graph of `forward`, in the given context of it; None means the
        graph's current context."""
        with self.forward._graph.as_default(), inside(context):
            yield

    @contextmanager
    def left(self) -> Iterator[None]:
        """Context manager that restores the context in which the gradients were requested."""
        with _in_context(self._home):
            yield

    def recalled(self, value: Tensor) -> Tensor:
        """The value in `backward` of a tensor of `forward`. The default graph's context must be `backward`."""
        found = self._recalled.get(value.name)
        if found is None:
            found = self._recalled[value.name] = self._recall(value)
        return found

    def predicate(self, pred: Tensor) -> Tensor:
        """The value in `backward` of the predicate of a branch in `forward`."""
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
        """Makes each iteration of `forward` push a tensor on a new stack, and returns the stack's handle.

        `on_other_branch`: the tensor exists where the branch to which it belongs is not taken.
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
        """Pops, in `backward`, the latest value that `push` put on a stack for `value`."""
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
        """The zeros in `backward`, alive only if the branch `context` of `forward` is not taken."""
        return switch_beside(zeros, self._known_predicate(context.pred))[1 - context.branch]

    def _sync_forward(self) -> Operation:
        """A no-op on which the next iteration of `forward` depends, even if some of its inputs are dead."""
        if self._forward_sync is None:
            with self.in_forward(None):
                self._forward_sync = _trigger("f_sync", self.forward)
            self._next.op._add_control_input(self._forward_sync)
        return self._forward_sync

    def _sync_back(self) -> Operation:
        """Like `_sync_forward`, for `backward`."""
        if self._backward_sync is None:
            self._backward_sync = _trigger("b_sync", self.backward)
            self._next_back.op._add_control_input(self._backward_sync)
            if self.backward.outer_context is not None:
                self.backward.outer_context.AddInnerOp(self._backward_sync)
        return self._backward_sync


@contextmanager
def _in_context(context: Any) -> Iterator[None]:
    """Context manager that sets the control-flow context of the default graph, possibly to None."""
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
    """The Enter operation of a loop invariant, possibly inside a branch; None for other tensors."""
    op = value.op
    while op._spec.control_flow == "switch" or is_copy(op):
        op = op.inputs[0].op
    return op if is_constant_enter(op) else None


def _branch_around(context: Any, end: Any) -> CondContext | None:
    """The innermost conditional context that contains `context` (or is it), searched outward up to `end`."""
    while context is not None and context is not end:
        if isinstance(context, CondContext):
            return context
        context = context.outer_context
    return None
