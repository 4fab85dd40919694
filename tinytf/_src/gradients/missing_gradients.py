"""Zeros in place of missing gradients."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.held_type import held_type
from tinytf._src.gradients.loop_gradient import LoopGradient
from tinytf._src.gradients.state_grad import variable_shape, variable_shape_when_run
from tinytf._src.ops import array_ops
from tinytf._src.ops.control_flow.cond_context import CondContext
from tinytf._src.ops.control_flow.context import inside
from tinytf._src.ops.control_flow.primitives import switch, switch_beside


def shape_of(tensor: Tensor) -> Tensor:
    """The dynamic shape of a tensor, or of the variable behind a handle."""
    if tensor.dtype == dtypes.resource:
        return variable_shape(tensor)
    return array_ops.shape_internal(tensor, optimize=False)


def zeros_of(tensor: Tensor) -> Tensor:
    """Zeros like a tensor, or like the variable behind a handle."""
    if tensor.dtype == dtypes.resource:
        return array_ops.zeros(variable_shape_when_run(tensor), held_type(tensor))
    return array_ops.zeros_like(tensor, optimize=False)


def zeros_of_part(tensor: Tensor) -> Tensor:
    """Like `zeros_of`, but a constant if the static shape is fully defined: for inputs and outputs of functions that
    nodes call."""
    return zeros_of(tensor) if tensor.dtype == dtypes.resource else array_ops.zeros_like(tensor)


def zeros_for_output(op: Operation, index: int) -> Any:
    """Zeros like an output; for the Switch of a branch, zeros that are created where the other branch is taken."""
    output, context = op.outputs[index], op._get_control_flow_context()
    if op._spec.control_flow != "switch" or not isinstance(context, CondContext):
        return zeros_of(output)
    other = switch(op.inputs[0], context.pred)[1 - context.branch]
    there = g.identity(other)
    if output.dtype == dtypes.resource:
        with control_dependencies([there]):
            return array_ops.zeros(variable_shape_when_run(other), held_type(output))
    shape = array_ops.shape_internal(other, optimize=False)
    with control_dependencies([there]):
        return array_ops.zeros(shape, output.dtype)


def zeros_in_loop(state: LoopGradient, op: Operation, index: int) -> Any:
    """Zeros in `state.backward` like an output of an operation in `state.forward`; None for a loop variable. The
    default graph's context must be `state.backward`."""
    context = op._get_control_flow_context()
    leads_in = op._spec.control_flow == "switch"
    if leads_in and not isinstance(context, CondContext):
        return None
    output = op.outputs[index]
    if op.graph.calls_functions:
        return array_ops.zeros_like(output)
    if output.shape.is_fully_defined():
        zeros = constant(0, output.dtype, shape=output.shape)
        return state.other_branch(zeros, context) if leads_in else zeros
    if leads_in:
        with state.in_forward(context.outer_context):
            other = switch_beside(op.inputs[0], context.pred)[1 - context.branch]
            shape = array_ops.shape_internal(other, optimize=False)
        other.op._set_control_flow_context(context)
        shape.op._set_control_flow_context(context)
    else:
        with state.in_forward(context):
            shape = array_ops.shape_internal(output, optimize=False)
    return array_ops.zeros(state.pop(state.push(shape, leads_in), shape, leads_in), output.dtype)


def zeros_of_exit(around: LoopGradient | None, tensor: Tensor) -> Tensor:
    """Zeros like a loop variable after its loop; `around` is the state of the enclosing loop on the walk, or None."""
    known = tensor.shape.is_fully_defined()
    if around is None:
        return array_ops.zeros(tensor.shape, tensor.dtype) if known else array_ops.zeros_like(tensor, optimize=False)
    if known:
        with inside(around.backward):
            return array_ops.zeros(tensor.shape, tensor.dtype)
    return zeros_around(around, tensor, tensor.dtype, tensor.op._get_control_flow_context().outer_context)


def zeros_around(around: LoopGradient, tensor: Tensor, dtype: dtypes.DType, context: Any) -> Tensor:
    """Zeros in `around.backward` with the shape of a tensor in `around.forward`; `context` is the tensor's context."""
    with around.in_forward(context):
        shape = array_ops.shape_internal(tensor, optimize=False)
    stack = around.push(shape)
    with inside(around.backward):
        return array_ops.zeros(around.pop(stack, shape), dtype)
