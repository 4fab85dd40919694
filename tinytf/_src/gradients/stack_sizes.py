"""Capacities of the stacks that hold loop values for gradients."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.jit_scope import is_to_compile
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.ops.control_flow.context import is_within
from tinytf._src.ops.control_flow.while_context import WhileContext


def stack_size(value: Tensor, loop: WhileContext) -> Tensor:
    """The capacity of a stack for a tensor of `loop`: unlimited (-1), or, for tensors marked for compilation, the
    product of the maximum iterations of the loops between it and the current context. Raises ValueError if these are
    unknown there."""
    if not is_to_compile(value.op):
        return constant(-1, dtypes.int32)
    here = get_default_graph()._get_control_flow_context()
    size = constant(1)
    while loop is not None and loop is not here:
        size = size * _iterations(value, loop, here)
        loop = _loop_around(loop, here)
    return size


def _iterations(value: Tensor, loop: WhileContext, here: Any) -> Any:
    most = loop.maximum_iterations
    if most is None:
        raise ValueError(
            f"Cannot create a gradient accumulator for tensor '{value.name}' inside XLA while_loop because maximum_iterations "
            f"was not passed to the tf.while_loop call ('{loop.name}')."
        )
    context = most.op._get_control_flow_context()
    if is_within(here, context):
        return most
    known = constant_value(most)
    if known is None:
        raise ValueError(
            f"Cannot create a gradient accumulator for tensor '{value.name}' inside XLA while_loop. maximum_iterations tensor "
            f"'{most.name}' for while_loop context '{loop.name}' must be statically known (e.g. a constant value or known "
            f"shape dimension), or be defined at or outside the while loop context '{'' if here is None else here.name}' "
            f"(currently defined in '{context.name}')."
        )
    return known


def _loop_around(loop: WhileContext, here: Any) -> Any:
    """The next enclosing loop, or `here` if that comes first."""
    context = loop.outer_context
    while context is not None and context is not here and not context.IsWhileContext():
        context = context.outer_context
    return context
