"""Gradients of reductions and segment reductions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tinytf._gen import gen_ops as g
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.constant_value import constant_value
from tinytf.framework.execution import executing_eagerly
from tinytf.gradients.registry import RegisterGradient


def _kept_shape(op: Any) -> Any:
    """The shape of the reduction's output with the reduced dimensions kept as 1, as a vector tensor."""
    x, axes = op.inputs
    shape, axis_values = x._shape_tuple(), constant_value(axes)
    if shape is not None and None not in shape and axis_values is not None:
        kept = np.array(shape, np.int32)
        kept[axis_values.reshape(-1)] = 1
        return constant(kept)
    rank = g.rank(x)
    input_shape = g.shape(x)
    positions = g.floor_mod(g.add(g.cast(axes, dtypes.int32), rank), rank)
    return g.dynamic_stitch(
        [g.range(constant(0), rank, constant(1)), g.reshape(positions, constant([-1]))],
        [input_shape, g.fill(g.shape(g.reshape(positions, constant([-1]))), constant(1))],
    )


def _repeats(op: Any, kept: Any) -> Any:
    """How often each dimension of the kept shape repeats to give the input's shape."""
    shape, value = op.inputs[0]._shape_tuple(), constant_value(kept)
    if shape is not None and None not in shape and value is not None:
        full = np.array(shape, np.int32)
        return constant(full // np.maximum(value, 1))
    return g.floor_div(g.shape(op.inputs[0]), g.maximum(kept, constant(1)))


def _spread(op: Any, grad: Any) -> Any:
    """The gradient of each sum for all of its terms, of tensors that have their values."""
    shape = op.inputs[0]._shape_tuple()
    if not op.outputs[0]._shape_tuple():
        return g.fill(constant(shape, dtypes.int32), grad)
    return g.broadcast_to(g.reshape(grad, _kept_shape(op)), constant(shape, dtypes.int32))


@RegisterGradient("Sum")
def _sum(op: Any, grad: Any) -> Any:
    if executing_eagerly():
        return _spread(op, grad), None
    kept = _kept_shape(op)
    return g.tile(g.reshape(grad, kept), _repeats(op, kept)), None


@RegisterGradient("Mean")
def _mean(op: Any, grad: Any) -> Any:
    shape_in, shape_out = op.inputs[0]._shape_tuple(), op.outputs[0]._shape_tuple()
    if executing_eagerly():
        terms = max(math.prod(shape_in), 1) // max(math.prod(shape_out), 1)
        return _spread(op, g.real_div(grad, constant(terms, dtype=grad.dtype))), None
    total = _sum(op, grad)[0]
    if shape_in is not None and shape_out is not None and None not in shape_in and None not in shape_out:
        factor: Any = constant(max(int(np.prod(shape_in)), 1) // max(int(np.prod(shape_out)), 1), dtype=grad.dtype)
    else:
        zero = constant([0])
        sizes = [g.prod(g.shape(t), zero) for t in (op.inputs[0], op.outputs[0])]
        factor = g.cast(g.floor_div(g.maximum(sizes[0], constant(1)), g.maximum(sizes[1], constant(1))), grad.dtype)
    return g.real_div(total, factor), None


def _min_or_max(op: Any, grad: Any) -> Any:
    kept = _kept_shape(op)
    y = g.reshape(op.outputs[0], kept)
    grad = g.reshape(grad, kept)
    # Equal extremes share the gradient.
    chosen = g.cast(g.equal(y, op.inputs[0]), grad.dtype)
    count = g.reshape(g.sum(chosen, op.inputs[1]), kept)
    return g.mul(g.real_div(chosen, count), grad), None


RegisterGradient("Max")(_min_or_max)
RegisterGradient("Min")(_min_or_max)


@RegisterGradient("Prod")
def _prod(op: Any, grad: Any) -> Any:
    x, axes = op.inputs
    axes = g.reshape(axes, constant([-1]))
    kept = _kept_shape(op)
    grad = g.tile(g.reshape(grad, kept), _repeats(op, kept))
    # Reduced dimensions first, as one; then the product of all others of the slice, without division by zeros.
    rank = g.rank(x)
    reduced = g.floor_mod(g.add(g.cast(axes, dtypes.int32), rank), rank)
    order = g.range(constant(0), rank, constant(1))
    others, _ = g.list_diff(order, reduced)
    permutation = g.concat_v2([reduced, others], 0)
    reduced_size = g.prod(g.gather_v2(g.shape(x), reduced, constant(0)), constant([0]))
    other_size = g.prod(g.gather_v2(g.shape(x), others, constant(0)), constant([0]))
    permuted = g.transpose(x, permutation)
    flat = g.reshape(permuted, g.pack([reduced_size, other_size]))
    left = g.cumprod(flat, constant(0), exclusive=True)
    right = g.cumprod(flat, constant(0), exclusive=True, reverse=True)
    y = g.reshape(g.mul(left, right), g.shape(permuted))
    out = g.mul(grad, g.transpose(y, g.invert_permutation(permutation)))
    return g.reshape(out, g.shape(x)), None


@RegisterGradient("L2Loss")
def _l2_loss(op: Any, grad: Any) -> Any:
    return g.mul(op.inputs[0], grad)


@RegisterGradient("SegmentSum")
def _segment_sum(op: Any, grad: Any) -> Any:
    return g.gather_v2(grad, op.inputs[1], constant(0)), None


@RegisterGradient("SegmentMean")
def _segment_mean(op: Any, grad: Any) -> Any:
    x, ids = op.inputs
    ones_shape = g.concat_v2(
        [g.shape(ids), g.fill(g.expand_dims(g.sub(g.rank(x), constant(1)), constant(0)), constant(1))], 0
    )
    ones = g.fill(ones_shape, constant(1, dtype=grad.dtype))
    scaled = g.real_div(grad, g.segment_sum(ones, ids))
    return g.gather_v2(scaled, ids, constant(0)), None


def _rows_or_zero(params: Any, ids: Any) -> tuple[Any, Any, Any]:
    """(rows at ids with zero rows for negative ids, the ids made non-negative, which rows count)."""
    clipped = g.maximum(ids, g.zeros_like(ids))
    rows = g.gather_v2(params, clipped, constant(0))
    usable = g.greater_equal(ids, g.zeros_like(ids))
    missing = g.sub(g.rank(rows), g.rank(usable))
    shape = g.concat_v2([g.shape(usable), g.fill(g.expand_dims(missing, constant(0)), constant(1))], 0)
    usable = g.logical_and(g.reshape(usable, shape), g.ones_like(g.cast(rows, dtypes.bool)))
    return g.select(usable, rows, g.zeros_like(rows)), clipped, usable


@RegisterGradient("UnsortedSegmentSum")
def _unsorted_segment_sum(op: Any, grad: Any) -> Any:
    return _rows_or_zero(grad, op.inputs[1])[0], None, None


def _unsorted_min_or_max(op: Any, grad: Any) -> Any:
    data, ids, segments = op.inputs
    gathered, clipped, usable = _rows_or_zero(op.outputs[0], ids)
    selected = g.logical_and(g.equal(data, gathered), usable)
    count = g.unsorted_segment_sum(g.cast(selected, grad.dtype), ids, segments)
    rows, _, _ = _rows_or_zero(g.real_div(grad, count), clipped)
    return g.select(selected, rows, g.zeros_like(rows)), None, None


RegisterGradient("UnsortedSegmentMax")(_unsorted_min_or_max)
RegisterGradient("UnsortedSegmentMin")(_unsorted_min_or_max)


def _segment_min_or_max(op: Any, grad: Any) -> Any:
    data, ids = op.inputs
    selected = g.equal(data, g.gather_v2(op.outputs[0], ids, constant(0)))
    count = g.segment_sum(g.cast(selected, grad.dtype), ids)
    rows = g.gather_v2(g.real_div(grad, count), ids, constant(0))
    return g.select(selected, rows, g.zeros_like(data)), None


RegisterGradient("SegmentMax")(_segment_min_or_max)
RegisterGradient("SegmentMin")(_segment_min_or_max)


@RegisterGradient("UnsortedSegmentProd")
def _unsorted_segment_prod(op: Any, grad: Any) -> Any:
    data, ids, segments = op.inputs
    # A segment with one zero passes gradient to that zero only, with more zeros to none.
    zero = g.equal(data, g.zeros_like(data))
    zeros = g.unsorted_segment_sum(g.cast(zero, dtypes.int32), ids, segments)
    grad = g.select(g.greater(zeros, g.ones_like(zeros)), g.zeros_like(grad), grad)
    others = g.unsorted_segment_prod(g.select(zero, g.ones_like(data), data), ids, segments)
    rows, clipped, _ = _rows_or_zero(grad, ids)
    whole = g.gather_v2(op.outputs[0], clipped, constant(0))
    partial = g.select(zero, g.gather_v2(others, clipped, constant(0)), g.real_div(whole, data))
    return g.mul(rows, partial), None, None


def _sparse_segment(op: Any, grad: Any) -> list[Any]:
    """Rows of the gradient, added up where they were read from."""
    data, indices, ids = op.inputs[:3]
    rows = g.gather_v2(grad, ids, constant(0))
    size = g.gather_v2(g.shape(data), constant(0), constant(0))
    return [g.unsorted_segment_sum(rows, indices, size)] + [None] * (len(op.inputs) - 1)


RegisterGradient("SparseSegmentSum")(_sparse_segment)
RegisterGradient("SparseSegmentSumWithNumSegments")(_sparse_segment)


def _sparse_segment_scaled(op: Any, grad: Any, backward: Any) -> list[Any]:
    data, indices, ids = op.inputs[:3]
    size = g.gather_v2(g.shape(data), constant(0), constant(0))
    return [backward(grad, indices, ids, size)] + [None] * (len(op.inputs) - 1)


@RegisterGradient("SparseSegmentMean")
def _sparse_segment_mean(op: Any, grad: Any) -> Any:
    return _sparse_segment_scaled(op, grad, g.sparse_segment_mean_grad)


RegisterGradient("SparseSegmentMeanWithNumSegments")(_sparse_segment_mean)


@RegisterGradient("SparseSegmentSqrtN")
def _sparse_segment_sqrt_n(op: Any, grad: Any) -> Any:
    return _sparse_segment_scaled(op, grad, g.sparse_segment_sqrt_n_grad)


RegisterGradient("SparseSegmentSqrtNWithNumSegments")(_sparse_segment_sqrt_n)
