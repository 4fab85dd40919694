"""Gradients of concatenation."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import rank, shape
from tinytf._src.ops import array_ops, math_ops
from tinytf._src.ops.control_flow.context import output_context

_MANY = 16  # with more inputs, the gradient is split by one op


@gradient_of("ConcatV2")
def _concat_v2(op: Any, grad: Any) -> Any:
    return [*_parts(op.inputs[:-1], op.inputs[-1], grad), None]


@gradient_of("Concat")
def _concat(op: Any, grad: Any) -> Any:
    return [None, *_parts(op.inputs[1:], op.inputs[0], grad)]


def _parts(inputs: Any, axis: Any, grad: Any) -> list[Any]:
    """The gradients of the concatenated inputs."""
    if len(inputs) == 1:
        return [grad]
    if isinstance(grad, IndexedSlices):
        static = constant_value(axis)
        ndims = inputs[0].shape.ndims
        if static is not None and (static >= 0 or ndims is not None):
            return _parts_of_rows(inputs, axis, int(static) if static >= 0 else int(static) + ndims, grad)
    axis = _in_context_of(grad, axis) % rank(inputs[0])
    shapes = _shapes(inputs)
    if len(shapes) > _MANY:
        extents = array_ops.squeeze(g.slice(array_ops.stack(shapes, axis=1), [axis, 0], [1, -1]))
        return list(array_ops.split(grad, extents, axis))
    offsets = g.concat_offset(axis, shapes)
    return [g.slice(grad, begin, own) for begin, own in zip(offsets, shapes, strict=True)]


def _in_context_of(grad: Any, axis: Any) -> Any:
    """The axis; a constant that belongs to another branch or loop is created again, so that it is not captured."""
    if executing_eagerly() or not axis.op._spec.is_constant or output_context(axis.op) is output_context(grad.op):
        return axis
    return constant(constant_value(axis), dtype=axis.dtype)


def _shapes(inputs: Any) -> list[Any]:
    """The shapes as tensors. In graph mode, constants if all are static; otherwise all are computed together."""
    if not executing_eagerly():
        found = []
        for x in inputs:
            found.append(array_ops.shape(x))
            if not found[-1].op._spec.is_constant:
                break
        else:
            return found
    return list(array_ops.shape_n(list(inputs)))


def _parts_of_rows(inputs: Any, axis: Any, static_axis: int, grad: IndexedSlices) -> list[IndexedSlices]:
    """The gradients of the inputs as IndexedSlices."""
    axis = axis % rank(inputs[0])
    shapes = [shape(x) for x in inputs]
    result = []
    if static_axis > 0:
        ndims = shape(shapes[0])
        mask = array_ops.concat(
            [array_ops.fill(array_ops.expand_dims(axis, 0), 0), [1], array_ops.fill(ndims - axis - 1, 0)], 0
        )
        begin = array_ops.fill(ndims, 0)
        for own in shapes:
            tail = array_ops.concat([[-1], g.slice(own, [1], [-1])], 0)
            result.append(IndexedSlices(g.slice(grad.values, begin, tail), grad.indices, own))
            begin = g.add(begin, own * mask)
        return result
    start: Any = constant(0, dtype=grad.indices.dtype)
    for own in shapes:
        rows = array_ops.gather(own, axis)
        if rows.dtype != grad.indices.dtype:
            rows = math_ops.cast(rows, grad.indices.dtype)
        end = start + rows
        chosen = array_ops.squeeze(array_ops.where(g.logical_and(grad.indices >= start, grad.indices < end)), axis=[1])
        indices = array_ops.gather(grad.indices, chosen) - start
        result.append(IndexedSlices(array_ops.gather(grad.values, chosen), indices, own))
        start = end
    return result
