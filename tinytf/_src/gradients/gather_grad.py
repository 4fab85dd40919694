"""Gradients of gather, scatter, stitch and partition ops."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.scopes.name_scope import colocate_with
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import shape, size
from tinytf._src.ops import array_ops, math_ops


def _shape_of_params(params: Any) -> Any:
    with colocate_with(params):
        return math_ops.cast(shape(params, dtypes.int64), dtypes.int32)


@gradient_of("Gather")
def _gather(op: Any, grad: Any) -> Any:
    params, indices = op.inputs
    full = _shape_of_params(params)
    count = array_ops.expand_dims(size(indices), 0)
    values = g.reshape(grad, array_ops.concat([count, full[1:]], 0))
    return IndexedSlices(values, g.reshape(indices, count), full), None


@gradient_of("GatherV2")
def _gather_v2(op: Any, grad: Any) -> Any:
    params, indices, axis = op.inputs
    full = _shape_of_params(params)
    count = array_ops.expand_dims(size(indices), 0)
    if constant_value(axis) == 0:
        values = g.reshape(grad, array_ops.concat([count, full[1:]], 0))
        return IndexedSlices(values, g.reshape(indices, count), full), None, None
    batch_dims = op._raw_attr("batch_dims")
    if batch_dims < 0:
        batch_dims += indices.shape.ndims
    # Merges the gathered dimensions into one, moves it behind the batch dimensions, sums the rows there, and moves it
    # back.
    outer, inner = full[:axis], full[axis:][1:]
    values_shape = array_ops.concat([outer, [-1], inner], 0)
    ndims, position = size(values_shape), size(outer)
    batches = math_ops.range(batch_dims)
    between = math_ops.range(batch_dims, position)
    behind = math_ops.range(position + 1, ndims)
    values = g.reshape(grad, values_shape)
    order = array_ops.concat([batches, [position], between, behind], 0)
    values = array_ops.transpose(values, order)
    # TensorFlow uses the shape unpermuted, which is correct if the gathered axis is behind the batch dimensions
    # already.
    moved = full if not batch_dims or constant_value(axis) == batch_dims else array_ops.gather(full, order)
    summed = _summed_rows(moved, values, indices, batch_dims, full[axis])
    back = array_ops.concat([batches, between + 1, [batch_dims], behind], 0)
    return array_ops.transpose(summed, back), None, None


def _summed_rows(full: Any, values: Any, indices: Any, batch_dims: int, extent: Any) -> Any:
    """Sums rows at the positions from which they were gathered, separately for each batch."""
    count = array_ops.expand_dims(size(indices), 0)
    if not batch_dims:
        return g.unsorted_segment_sum(values, g.reshape(indices, count), extent)
    dims = shape(values)
    outer, inner = dims[:batch_dims], dims[batch_dims:][1:]
    batch_size = g.prod(outer, [0], False)
    flat = array_ops.concat([[-1], inner], 0)
    extent *= batch_size
    indices = _indices_over_batches(full, indices, batch_dims)
    values = g.reshape(values, flat)
    summed = g.unsorted_segment_sum(values, g.reshape(indices, count), extent)
    return g.reshape(summed, array_ops.concat([outer, flat], 0))


def _indices_over_batches(full: Any, indices: Any, batch_dims: int) -> Any:
    """The indices into the flattened batches: each batch is offset by the number of rows before it."""
    dtype = indices.dtype.base_dtype
    ndims = indices.shape.ndims
    result = indices
    full = math_ops.cast(full, dtype)
    rows = array_ops.ones((), dtype=dtype)
    for dim in range(batch_dims, 0, -1):
        extent = full[dim - 1]
        rows *= full[dim]
        start, step = array_ops.zeros((), dtype=dtype), array_ops.ones((), dtype=dtype)
        offsets = math_ops.range(start, extent, step)
        offsets *= rows
        offsets_shape = array_ops.stack([1] * (dim - 1) + [extent] + [1] * (ndims - dim), axis=0)
        result += g.reshape(offsets, offsets_shape)
    return result


@gradient_of("GatherNd")
def _gather_nd(op: Any, grad: Any) -> Any:
    params, indices = op.inputs
    return gradient_of_index_vectors(indices, grad, shape(params, indices.dtype)), None


def gradient_of_index_vectors(indices: Any, grad: Any, full: Any) -> Any:
    """Scatters slices of a gradient to positions given by index vectors in a tensor of shape `full`; IndexedSlices if
    the vectors have one element."""
    if indices.shape.ndims == 2 and indices.shape[-1].value == 1:
        return IndexedSlices(grad, array_ops.squeeze(indices, axis=-1), full)
    return g.scatter_nd(indices, grad, full)


@gradient_of("ScatterNd")
def _scatter_nd(op: Any, grad: Any) -> Any:
    return None, array_ops.gather_nd(grad, op.inputs[0]), None


@gradient_of("DynamicStitch")
def _dynamic_stitch(op: Any, grad: Any) -> Any:
    count = len(op.inputs) // 2
    indices = [math_ops.cast(i, dtypes.int32) for i in op.inputs[:count]]
    if isinstance(grad, IndexedSlices):
        rows = math_ops.cast(shape(grad.indices)[0], dtypes.int32) if grad.dense_shape is None else grad.dense_shape[0]
        grad = g.unsorted_segment_sum(grad.values, grad.indices, rows)
    return [None] * count + [array_ops.gather(grad, i) for i in indices]


gradient_of("ParallelDynamicStitch")(_dynamic_stitch)


@gradient_of("DynamicPartition")
def _dynamic_partition(op: Any, *grads: Any) -> Any:
    data, partitions = op.inputs
    prefix = shape(partitions)
    numbers = g.reshape(math_ops.range(math_ops.reduce_prod(prefix)), prefix)
    parts = g.dynamic_partition(numbers, partitions, num_partitions=op._raw_attr("num_partitions"))
    return g.reshape(g.dynamic_stitch(parts, list(grads)), shape(data)), None


@gradient_of("TensorScatterUpdate")
def _tensor_scatter_update(op: Any, grad: Any) -> Any:
    indices, updates = op.inputs[1], op.inputs[2]
    updates_grad = array_ops.gather_nd(grad, indices)
    copy = g.identity(grad)
    zeros = array_ops.zeros_like(updates, dtype=grad.dtype)
    return g.tensor_scatter_update(copy, indices, zeros), None, updates_grad


@gradient_of("TensorScatterAdd")
def _tensor_scatter_add(op: Any, grad: Any) -> Any:
    updates_grad = array_ops.gather_nd(grad, op.inputs[1])
    return g.identity(grad), None, updates_grad


@gradient_of("TensorScatterSub")
def _tensor_scatter_sub(op: Any, grad: Any) -> Any:
    updates_grad = array_ops.gather_nd(grad, op.inputs[1])
    return g.identity(grad), None, -updates_grad
