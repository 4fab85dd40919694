"""Gradients of branches: what merges them is divided, and what divided is merged."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf.framework import dtypes
from tinytf.framework.name_scope import control_dependencies
from tinytf.framework.operation import Operation
from tinytf.gradients.registry import RegisterGradient
from tinytf.gradients.state_grad import variable_shape
from tinytf.ops import array_ops
from tinytf.ops.control_flow.cond_context import CondContext
from tinytf.ops.control_flow.context import output_context
from tinytf.ops.control_flow.primitives import merge, switch, switch_beside


@RegisterGradient("RefSwitch")
@RegisterGradient("Switch")
def _switch(op: Operation, *grads: Any) -> Any:
    context = op._get_control_flow_context()
    if not isinstance(context, CondContext):
        pred = op.inputs[1]
        return merge([switch(grads[0], pred)[0], switch(grads[1], pred)[1]])[0], None
    if grads[1 - context.branch] is not None:
        return merge(grads, name="cond_grad")[0], None
    if op.inputs[0].dtype != dtypes.resource:
        return None, None
    return merge([grads[context.branch]] * 2, name="cond_resource_grad")[0], None


@RegisterGradient("RefMerge")
@RegisterGradient("Merge")
def _merge(op: Operation, grad: Any, _: Any) -> Any:
    context = output_context(op.inputs[0].op)
    if isinstance(context, CondContext):
        return switch_beside(grad, context.pred, name="cond_grad")
    taken = [g.equal(op.outputs[1], i) for i in range(len(op.inputs))]
    return [switch_beside(grad, condition)[1] for condition in taken]


def zeros_for_output(op: Operation, index: int) -> Any:
    """Zeros like an output that got no gradient; of what brings a tensor into a branch zeros that are made where the
    other branch is taken."""
    output, context = op.outputs[index], op._get_control_flow_context()
    if op._spec.control_flow != "switch" or not isinstance(context, CondContext):
        if output.dtype == dtypes.resource:
            return array_ops.zeros(variable_shape(output), _type_of_variable(output))
        return array_ops.zeros_like(output, optimize=False)
    other = switch(op.inputs[0], context.pred)[1 - context.branch]
    there = g.identity(other)
    if output.dtype == dtypes.resource:
        with control_dependencies([there]):
            return array_ops.zeros(variable_shape(other), _type_of_variable(output))
    shape = array_ops.shape_internal(other, optimize=False)
    with control_dependencies([there]):
        return array_ops.zeros(shape, output.dtype)


def _type_of_variable(handle: Any) -> dtypes.DType:
    return dtypes.as_dtype(handle.graph._core.handle_info(handle._key)[0])
