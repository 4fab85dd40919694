"""Gradients of control flow: Merge becomes Switch, Switch becomes Merge, and loops run backward."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.loop_gradient import LoopGradient
from tinytf._src.gradients.loop_sums import summed
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.ops.control_flow.added_variables import enter_variable, exit_variable
from tinytf._src.ops.control_flow.cond_context import CondContext
from tinytf._src.ops.control_flow.context import is_constant_enter, output_context
from tinytf._src.ops.control_flow.primitives import merge, next_iteration, own_tensor, switch, switch_beside
from tinytf._src.ops.control_flow.slices import as_indexed_slices
from tinytf._src.ops.control_flow.while_context import WhileContext


def _state() -> LoopGradient | None:
    """The state of the loop whose gradients are being computed; None outside of loops."""
    context = get_default_graph()._get_control_flow_context()
    return None if context is None else context.grad_state


@gradient_of("RefSwitch")
@gradient_of("Switch")
def _switch(op: Operation, *grads: Any) -> Any:
    context = op._get_control_flow_context()
    if isinstance(context, WhileContext):
        return _variable(op, *grads), None
    if not isinstance(context, CondContext):
        pred = op.inputs[1]
        return merge([switch(grads[0], pred)[0], switch(grads[1], pred)[1]])[0], None
    if grads[1 - context.branch] is not None:
        return merge(grads, name="cond_grad")[0], None
    if op.inputs[0].dtype != dtypes.resource:
        return None, None
    return merge([grads[context.branch]] * 2, name="cond_resource_grad")[0], None


def _variable(op: Operation, after: Any, inside: Any) -> Any:
    """The gradient of a loop variable. Called twice: first with the gradient of the variable after the loop, then also
    with the gradient of its use in an iteration."""
    merges = _state().merges  # type: ignore[union-attr]
    if op in merges:
        if inside is not None:
            _go_on(merges[op], inside)
        return None
    if after is None:
        return None
    merges[op] = merge([after, after], name="b_switch")[0]
    return merges[op]


def _go_on(merged: Any, grad: Any) -> None:
    """Closes the loop: in all iterations but the first, `merged` is the `grad` of the previous iteration."""
    [grad] = [own_tensor(grad)] if isinstance(merged, Tensor) else as_indexed_slices([grad])
    back = nest.flatten(next_iteration(grad), expand_composites=True)
    for tensor, value in zip(nest.flatten(merged, expand_composites=True), back, strict=True):
        tensor.op._set_input(1, value)


@gradient_of("RefMerge")
@gradient_of("Merge")
def _merge(op: Operation, grad: Any, _: Any) -> Any:
    context = output_context(op.inputs[0].op)
    if isinstance(context, WhileContext):
        return switch_beside(grad, get_default_graph()._get_control_flow_context().pivot)
    if isinstance(context, CondContext):
        state = _state()
        pred = context.pred if state is None else state.predicate(context.pred)
        return switch_beside(grad, pred, name="cond_grad")
    taken = [g.equal(op.outputs[1], i) for i in range(len(op.inputs))]
    return [switch_beside(grad, condition)[1] for condition in taken]


@gradient_of("RefExit")
@gradient_of("Exit")
def _exit(op: Operation, grad: Any) -> Any:
    loop = get_default_graph()._get_control_flow_context()
    if not loop.back_prop:
        return None
    if op._get_control_flow_context().grad_state is not None:
        raise TypeError("Second-order gradient for while loops not supported.")
    if isinstance(grad, Tensor):
        return enter_variable(loop, grad, "b_exit")
    return nest.map_structure(lambda part: enter_variable(loop, part), grad, expand_composites=True)


@gradient_of("RefNextIteration")
@gradient_of("NextIteration")
def _next_iteration(_: Operation, grad: Any) -> Any:
    return grad


@gradient_of("RefEnter")
@gradient_of("Enter")
def _enter(op: Operation, grad: Any) -> Any:
    loop, state = get_default_graph()._get_control_flow_context(), _state()
    if state is None or not loop.back_prop:
        return grad
    if is_constant_enter(op):
        return summed(state, op, grad)
    return exit_variable(loop, grad)
