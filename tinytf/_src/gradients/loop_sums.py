"""Sums the gradients of loop invariants over the iterations of the backward loop."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, unknown_shape
from tinytf._src.gradients.loop_gradient import LoopGradient
from tinytf._src.gradients.missing_gradients import zeros_around
from tinytf._src.ops import array_ops
from tinytf._src.ops.control_flow.added_variables import enter_variable, exit_variable, iterate
from tinytf._src.ops.control_flow.context import inside


def summed(state: LoopGradient, enter: Operation, grad: Any) -> Any:
    """The sum of the gradients of the loop invariant that `enter` brings into `state.forward`. Raises TypeError if
    `grad` is not a gradient."""
    if isinstance(grad, Tensor):
        with state.left():
            zero = _zeros(state, enter, grad)
        return _sum(state, zero, grad)
    if isinstance(grad, IndexedSlices):
        with state.left(), inside(state.backward.outer_context):
            first = _no_slices(enter, grad)
        return _joined(state, first, grad)
    raise TypeError(f"Type {type(grad)} not supported")


def _zeros(state: LoopGradient, enter: Operation, grad: Tensor) -> Tensor:
    around = state.backward.outer_context
    if grad.shape.is_fully_defined():
        with inside(around):
            return constant(0, grad.dtype, shape=grad.shape, name="b_acc")
    value = enter.inputs[0]
    if state.outer is None:
        with inside(around):
            return array_ops.zeros(array_ops.shape_internal(value, optimize=False), grad.dtype)
    return zeros_around(state.outer, value, grad.dtype, state.forward.outer_context)


def _sum(state: LoopGradient, zero: Tensor, grad: Tensor) -> Tensor:
    loop = state.backward
    entered = enter_variable(loop, zero, "b_acc")
    _, [last] = iterate(loop, [entered], lambda sums: [gen_ops.add(sums[0], grad)], "b_acc")
    return exit_variable(loop, last, "b_acc")


def _no_slices(enter: Operation, grad: IndexedSlices) -> list[Tensor]:
    """The initial indices, values and shape of a sum of IndexedSlices: a row of zeros for row 0."""
    value, rows, shape = enter.inputs[0], grad.values, grad.dense_shape
    if rows.shape.is_fully_defined():
        values = constant(0, rows.dtype, shape=[1, *rows.shape.as_list()[1:]], name="b_acc")
    else:
        values = array_ops.zeros(array_ops.concat([[1], _shape_of(value)[1:]], 0), rows.dtype)
    parts = [constant([0], grad.indices.dtype), values]
    if shape is None:
        return parts
    if shape.shape.is_fully_defined():
        return [*parts, constant(0, shape.dtype, shape=shape.shape)]
    dense = array_ops.shape_internal(value, optimize=False, out_type=shape.dtype)
    return [*parts, array_ops.zeros_like(dense, optimize=False)]


def _joined(state: LoopGradient, first: list[Tensor], grad: IndexedSlices) -> IndexedSlices:
    def step(so_far: list[Tensor]) -> list[Tensor]:
        added = [grad.indices, grad.values]
        parts = [array_ops.concat([old, new], 0) for old, new in zip(so_far, added, strict=False)]
        return [*parts, *(gen_ops.maximum(grad.dense_shape, shape) for shape in so_far[2:])]

    loop = state.backward
    entered = [enter_variable(loop, tensor, "b_acc", _any_number_of(tensor)) for tensor in first[:2]]
    entered += [enter_variable(loop, tensor, "b_acc", unknown_shape()) for tensor in first[2:]]
    _, last = iterate(loop, entered, step, "b_acc")
    indices, values, *shape = [exit_variable(loop, tensor, "b_acc") for tensor in last]
    return IndexedSlices(values, indices, *shape)


def _any_number_of(rows: Tensor) -> TensorShape:
    return TensorShape(None if rows.shape.dims is None else [None, *rows.shape.dims[1:]])


def _shape_of(value: Tensor) -> Any:
    """The shape of a tensor, or of the variable behind a handle."""
    if value.dtype == dtypes.resource:
        known = value.graph._core.handle_info(value._key)
        return TensorShape(None if known is None else known[1])
    return array_ops.shape_internal(value, optimize=False)
