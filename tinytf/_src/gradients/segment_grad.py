"""Gradients of segment reductions."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import rank, shape
from tinytf._src.ops import array_ops, math_ops


@gradient_of("SegmentSum")
def _segment_sum(op: Any, grad: Any) -> Any:
    return array_ops.gather(grad, op.inputs[1]), None


@gradient_of("SegmentMean")
def _segment_mean(op: Any, grad: Any) -> Any:
    x, ids = op.inputs
    ndims = rank(x)
    ones_shape = array_ops.concat([shape(ids), array_ops.fill(array_ops.expand_dims(ndims - 1, 0), 1)], 0)
    ones = array_ops.fill(ones_shape, constant(1, dtype=grad.dtype))
    scaled = math_ops.divide(grad, g.segment_sum(ones, ids))
    return array_ops.gather(scaled, ids), None


def _rows_or_zero(params: Any, ids: Any, clipped: Any = None, usable: Any = None) -> tuple[Any, Any, Any]:
    """A triple: rows at `ids`, with zeros for negative ids; the ids clipped at 0; and a mask of the rows with valid
    ids."""
    if clipped is None:
        clipped = g.maximum(ids, array_ops.zeros_like(ids))
    rows = array_ops.gather(params, clipped)
    if usable is None:
        usable = g.greater_equal(ids, 0)
        for _ in range(rows.shape.ndims - usable.shape.ndims):
            usable = array_ops.expand_dims(usable, -1)
        usable = usable & array_ops.ones_like(rows, dtype=dtypes.bool)
    return g.select(usable, rows, array_ops.zeros_like(rows)), clipped, usable


@gradient_of("UnsortedSegmentSum")
def _unsorted_segment_sum(op: Any, grad: Any) -> Any:
    return _rows_or_zero(grad, op.inputs[1])[0], None, None


def _unsorted_min_or_max(op: Any, grad: Any) -> Any:
    data, ids, segments = op.inputs
    gathered, clipped, usable = _rows_or_zero(op.outputs[0], ids)
    selected = g.logical_and(g.equal(data, gathered), usable)
    count = g.unsorted_segment_sum(math_ops.cast(selected, grad.dtype), ids, segments)
    rows, _, _ = _rows_or_zero(math_ops.divide(grad, count), None, clipped, usable)
    return g.select(selected, rows, array_ops.zeros_like(rows)), None, None


gradient_of("UnsortedSegmentMax")(_unsorted_min_or_max)
gradient_of("UnsortedSegmentMin")(_unsorted_min_or_max)


def _segment_min_or_max(op: Any, grad: Any) -> Any:
    data, ids = op.inputs
    zeros = array_ops.zeros_like(data)
    selected = g.equal(data, array_ops.gather(op.outputs[0], ids))
    count = g.segment_sum(math_ops.cast(selected, grad.dtype), ids)
    rows = array_ops.gather(math_ops.divide(grad, count), ids)
    return g.select(selected, rows, zeros), None


gradient_of("SegmentMax")(_segment_min_or_max)
gradient_of("SegmentMin")(_segment_min_or_max)


@gradient_of("UnsortedSegmentProd")
def _unsorted_segment_prod(op: Any, grad: Any) -> Any:
    data, ids, segments = op.inputs
    # In a segment with one zero, only that zero gets a gradient; in one with several zeros, no element does.
    zero = g.equal(data, 0)
    zeros = g.unsorted_segment_sum(math_ops.cast(zero, dtypes.int32), ids, segments)
    grad = g.select(g.greater(zeros, 1), array_ops.zeros_like(grad), grad)
    others = g.unsorted_segment_prod(g.select(zero, array_ops.ones_like(data), data), ids, segments)
    clipped = g.maximum(ids, array_ops.zeros_like(ids))
    whole = array_ops.gather(op.outputs[0], clipped)
    rest = array_ops.gather(others, clipped)
    partial = g.select(zero, rest, whole / data)
    return _rows_or_zero(grad, ids, clipped)[0] * partial, None, None


def _sparse_segment(op: Any, grad: Any) -> list[Any]:
    """Sums rows of the gradient at the positions from which they were read."""
    data, indices, ids = op.inputs[:3]
    size = shape(data)[0]
    return [g.unsorted_segment_sum(array_ops.gather(grad, ids), indices, size)] + [None] * (len(op.inputs) - 1)


gradient_of("SparseSegmentSum")(_sparse_segment)
gradient_of("SparseSegmentSumWithNumSegments")(_sparse_segment)


def _sparse_segment_scaled(op: Any, grad: Any, backward: Any) -> list[Any]:
    data, indices, ids = op.inputs[:3]
    return [backward(grad, indices, ids, shape(data)[0])] + [None] * (len(op.inputs) - 1)


@gradient_of("SparseSegmentMean")
def _sparse_segment_mean(op: Any, grad: Any) -> Any:
    return _sparse_segment_scaled(op, grad, g.sparse_segment_mean_grad)


gradient_of("SparseSegmentMeanWithNumSegments")(_sparse_segment_mean)


@gradient_of("SparseSegmentSqrtN")
def _sparse_segment_sqrt_n(op: Any, grad: Any) -> Any:
    return _sparse_segment_scaled(op, grad, g.sparse_segment_sqrt_n_grad)


gradient_of("SparseSegmentSqrtNWithNumSegments")(_sparse_segment_sqrt_n)
