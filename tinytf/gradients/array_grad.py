"""Gradients of ops that move, cut, join and repeat elements."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.name_scope import colocate_with
from tinytf.gradients.registry import RegisterGradient
from tinytf.gradients.support import conj


def _vector(x: Any) -> Any:
    return g.reshape(x, constant([-1]))


@RegisterGradient("Identity")
def _identity(_: Any, grad: Any) -> Any:
    return grad


RegisterGradient("RefIdentity")(_identity)
RegisterGradient("Snapshot")(_identity)
RegisterGradient("EnsureShape")(_identity)


@RegisterGradient("IdentityN")
def _identity_n(_: Any, *grads: Any) -> Any:
    return grads


@RegisterGradient("PlaceholderWithDefault")
def _placeholder_with_default(_: Any, grad: Any) -> Any:
    return grad


@RegisterGradient("PreventGradient")
def _prevent_gradient(op: Any, _: Any) -> Any:
    raise LookupError(f"Gradient explicitly disabled. Reason: {op.get_attr('message').decode()!r}")


@RegisterGradient("CheckNumerics")
def _check_numerics(op: Any, grad: Any) -> Any:
    return g.check_numerics(grad, message="Not a number (NaN) or infinity (Inf) values detected in gradient.")


@RegisterGradient("Print")
def _print(op: Any, grad: Any) -> Any:
    return [grad] + [None] * (len(op.inputs) - 1)


@RegisterGradient("Reshape")
def _reshape(op: Any, grad: Any) -> Any:
    return g.reshape(dense(grad), g.shape(op.inputs[0])), None


def dense(grad: Any) -> Any:
    """IndexedSlices as a tensor, a tensor as it is."""
    from tinytf.gradients.aggregation import densify

    return densify(grad) if isinstance(grad, IndexedSlices) else grad


@RegisterGradient("ExpandDims")
def _expand_dims(op: Any, grad: Any) -> Any:
    return g.reshape(grad, g.shape(op.inputs[0])), None


@RegisterGradient("Squeeze")
def _squeeze(op: Any, grad: Any) -> Any:
    return g.reshape(grad, g.shape(op.inputs[0]))


@RegisterGradient("Transpose")
def _transpose(op: Any, grad: Any) -> Any:
    return g.transpose(grad, g.invert_permutation(op.inputs[1])), None


@RegisterGradient("ConjugateTranspose")
def _conjugate_transpose(op: Any, grad: Any) -> Any:
    return conj(g.transpose(grad, g.invert_permutation(op.inputs[1]))), None


@RegisterGradient("ConcatV2")
def _concat_v2(op: Any, grad: Any) -> Any:
    inputs, axis = op.inputs[:-1], op.inputs[-1]
    if isinstance(grad, IndexedSlices):
        grad = dense(grad)
    rank = g.rank(inputs[0])
    axis = g.floor_mod(g.cast(axis, dtypes.int32), rank)
    if len(inputs) == 1:
        return [grad, None]
    shapes = g.shape_n(list(inputs))
    offsets = g.concat_offset(axis, shapes)
    return [g.slice(grad, begin, size) for begin, size in zip(offsets, shapes, strict=True)] + [None]


@RegisterGradient("Concat")
def _concat(op: Any, grad: Any) -> Any:
    axis, inputs = op.inputs[0], op.inputs[1:]
    shapes = g.shape_n(list(inputs))
    offsets = g.concat_offset(axis, shapes)
    return [None] + [g.slice(dense(grad), begin, size) for begin, size in zip(offsets, shapes, strict=True)]


@RegisterGradient("Pack")
def _pack(op: Any, grad: Any) -> Any:
    return g.unpack(grad, num=op._raw_attr("N"), axis=op._raw_attr("axis"))


@RegisterGradient("Unpack")
def _unpack(op: Any, *grads: Any) -> Any:
    return g.pack(list(grads), axis=op._raw_attr("axis"))


@RegisterGradient("Split")
def _split(op: Any, *grads: Any) -> Any:
    return None, g.concat_v2(list(grads), op.inputs[0])


@RegisterGradient("SplitV")
def _split_v(op: Any, *grads: Any) -> Any:
    return g.concat_v2(list(grads), op.inputs[2]), None, None


@RegisterGradient("Slice")
def _slice(op: Any, grad: Any) -> Any:
    x, begin = op.inputs[0], op.inputs[1]
    rank = g.rank(x)
    column = g.pack([rank, constant(1)])
    before = g.reshape(begin, column)
    after = g.reshape(
        g.sub(g.sub(g.shape(x, out_type=begin.dtype), g.shape(op.outputs[0], out_type=begin.dtype)), begin), column
    )
    return g.pad(grad, g.concat_v2([before, after], 1)), None, None


@RegisterGradient("StridedSlice")
def _strided_slice(op: Any, grad: Any) -> Any:
    x, begin, end, strides = op.inputs
    masks = {
        m: op._raw_attr(m) for m in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    }
    return g.strided_slice_grad(g.shape(x, out_type=begin.dtype), begin, end, strides, grad, **masks), None, None, None


@RegisterGradient("StridedSliceGrad")
def _strided_slice_grad(op: Any, grad: Any) -> Any:
    begin, end, strides = op.inputs[1:4]
    masks = {
        m: op._raw_attr(m) for m in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    }
    return None, None, None, None, g.strided_slice(grad, begin, end, strides, **masks)


@RegisterGradient("Pad")
def _pad(op: Any, grad: Any) -> Any:
    x, paddings = op.inputs[0], op.inputs[1]
    before = g.slice(
        paddings,
        constant([0, 0], dtype=paddings.dtype),
        g.pack([g.rank(x), constant(1)])
        if paddings.dtype == dtypes.int32
        else g.cast(g.pack([g.rank(x), constant(1)]), paddings.dtype),
    )
    begin = g.reshape(before, constant([-1]))
    gradient = g.slice(grad, begin, g.shape(x, out_type=paddings.dtype))
    return [gradient] + [None] * (len(op.inputs) - 1)


RegisterGradient("PadV2")(_pad)


@RegisterGradient("MirrorPad")
def _mirror_pad(op: Any, grad: Any) -> Any:
    return g.mirror_pad_grad(grad, op.inputs[1], mode=op._raw_attr("mode").decode()), None


@RegisterGradient("MirrorPadGrad")
def _mirror_pad_grad(op: Any, grad: Any) -> Any:
    return g.mirror_pad(grad, op.inputs[1], mode=op._raw_attr("mode").decode()), None


@RegisterGradient("Tile")
def _tile(op: Any, grad: Any) -> Any:
    x, multiples = op.inputs
    shape = g.shape(x, out_type=multiples.dtype)
    # [m0, s0, m1, s1, …]: sum over the repetitions.
    split = _vector(g.transpose(g.pack([multiples, shape]), constant([1, 0])))
    axes = g.range(constant(0), g.size(split), constant(2))
    return g.reshape(g.sum(g.reshape(dense(grad), split), axes), g.shape(x)), None


@RegisterGradient("Fill")
def _fill(_: Any, grad: Any) -> Any:
    return None, g.sum(grad, g.range(constant(0), g.rank(grad), constant(1)))


@RegisterGradient("BroadcastTo")
def _broadcast_to(op: Any, grad: Any) -> Any:
    x, shape = op.inputs
    own = g.shape(x, out_type=shape.dtype)
    axes = g.broadcast_gradient_args(shape, own)[1]
    return g.reshape(g.sum(grad, axes, keep_dims=True), own), None


@RegisterGradient("Diag")
def _diag(_: Any, grad: Any) -> Any:
    return g.diag_part(grad)


@RegisterGradient("DiagPart")
def _diag_part(_: Any, grad: Any) -> Any:
    return g.diag(grad)


@RegisterGradient("MatrixDiag")
def _matrix_diag(_: Any, grad: Any) -> Any:
    return g.matrix_diag_part(grad)


@RegisterGradient("MatrixBandPart")
def _matrix_band_part(op: Any, grad: Any) -> Any:
    return g.matrix_band_part(grad, op.inputs[1], op.inputs[2]), None, None


@RegisterGradient("ReverseV2")
def _reverse_v2(op: Any, grad: Any) -> Any:
    return g.reverse_v2(grad, op.inputs[1]), None


@RegisterGradient("ReverseSequence")
def _reverse_sequence(op: Any, grad: Any) -> Any:
    lengths = op.inputs[1]
    return g.reverse_sequence(grad, lengths, seq_dim=op._raw_attr("seq_dim"), batch_dim=op._raw_attr("batch_dim")), None


@RegisterGradient("Roll")
def _roll(op: Any, grad: Any) -> Any:
    return g.roll(grad, g.neg(op.inputs[1]), op.inputs[2]), None, None


@RegisterGradient("SpaceToBatchND")
def _space_to_batch(op: Any, grad: Any) -> Any:
    return g.batch_to_space_nd(grad, op.inputs[1], op.inputs[2]), None, None


@RegisterGradient("BatchToSpaceND")
def _batch_to_space(op: Any, grad: Any) -> Any:
    return g.space_to_batch_nd(grad, op.inputs[1], op.inputs[2]), None, None


@RegisterGradient("SpaceToDepth")
def _space_to_depth(op: Any, grad: Any) -> Any:
    return g.depth_to_space(
        grad, block_size=op._raw_attr("block_size"), data_format=op._raw_attr("data_format").decode()
    )


@RegisterGradient("DepthToSpace")
def _depth_to_space(op: Any, grad: Any) -> Any:
    return g.space_to_depth(
        grad, block_size=op._raw_attr("block_size"), data_format=op._raw_attr("data_format").decode()
    )


# -- Gathers and scatters ---------------------------------------------------------------------------------------------


def _gathered_rows(params_shape: Any, indices: Any, grad: Any) -> tuple[Any, Any]:
    """(values, indices) of the IndexedSlices that a gather along dimension 0 leaves."""
    size = g.expand_dims(g.size(indices), constant(0))
    tail = g.strided_slice(params_shape, constant([1]), constant([0]), constant([1]), end_mask=1)
    values_shape = g.concat_v2([g.cast(size, params_shape.dtype), tail], 0)
    return g.reshape(dense(grad), values_shape), g.reshape(indices, size)


@RegisterGradient("Gather")
def _gather(op: Any, grad: Any) -> Any:
    params, indices = op.inputs
    with colocate_with(params):
        shape = g.shape(params, out_type=dtypes.int64)
        shape = g.cast(shape, dtypes.int32)
    values, rows = _gathered_rows(shape, indices, grad)
    return IndexedSlices(values, rows, shape), None


@RegisterGradient("GatherV2")
def _gather_v2(op: Any, grad: Any) -> Any:
    from tinytf.framework.constant_value import constant_value

    params, indices, axis = op.inputs
    with colocate_with(params):
        shape = g.cast(g.shape(params, out_type=dtypes.int64), dtypes.int32)
    static_axis = constant_value(axis)
    if static_axis is not None and int(static_axis) == 0:
        values, rows = _gathered_rows(shape, indices, grad)
        return IndexedSlices(values, rows, shape), None, None
    # The gathered axis goes to the front, rows are added up there, and it goes back.
    rank = g.rank(params)
    axis = g.floor_mod(g.cast(axis, dtypes.int32), rank)
    flat = _vector(indices)
    position = g.reshape(axis, constant([1]))
    zero, one = constant([0]), constant([1])
    outer = g.slice(shape, zero, position)
    inner = g.strided_slice(shape, g.add(position, one), zero, one, end_mask=1)
    outer_axes = g.range(constant(0), axis, constant(1))
    inner_axes = g.range(g.add(axis, constant(1)), rank, constant(1))
    values = g.reshape(dense(grad), g.concat_v2([outer, g.reshape(g.size(flat), one), inner], 0))
    values = g.transpose(values, g.concat_v2([position, outer_axes, inner_axes], 0))
    summed = g.unsorted_segment_sum(values, flat, g.gather_v2(shape, axis, constant(0)))
    back = g.concat_v2([g.add(outer_axes, constant(1)), zero, inner_axes], 0)
    return g.transpose(summed, back), None, None


@RegisterGradient("GatherNd")
def _gather_nd(op: Any, grad: Any) -> Any:
    params, indices = op.inputs
    shape = g.shape(params, out_type=indices.dtype)
    if indices.shape.ndims == 2 and indices.shape[-1].value == 1:
        return IndexedSlices(dense(grad), g.squeeze(indices, axis=[-1]), shape), None
    return g.scatter_nd(indices, dense(grad), shape), None


@RegisterGradient("ScatterNd")
def _scatter_nd(op: Any, grad: Any) -> Any:
    return None, g.gather_nd(grad, op.inputs[0]), None


@RegisterGradient("DynamicStitch")
def _dynamic_stitch(op: Any, grad: Any) -> Any:
    count = len(op.inputs) // 2
    indices = [g.cast(i, dtypes.int32) for i in op.inputs[:count]]
    return [None] * count + [g.gather_v2(dense(grad), i, constant(0)) for i in indices]


@RegisterGradient("DynamicPartition")
def _dynamic_partition(op: Any, *grads: Any) -> Any:
    data, partitions = op.inputs
    size = g.prod(g.shape(partitions), constant([0]))
    numbers = g.reshape(g.range(constant(0), size, constant(1)), g.shape(partitions))
    parts = g.dynamic_partition(numbers, partitions, num_partitions=op._raw_attr("num_partitions"))
    rows = g.dynamic_stitch(parts, list(grads))
    return g.reshape(rows, g.shape(data)), None


RegisterGradient("ParallelDynamicStitch")(_dynamic_stitch)


@RegisterGradient("TensorScatterUpdate")
def _tensor_scatter_update(op: Any, grad: Any) -> Any:
    indices, updates = op.inputs[1], op.inputs[2]
    return g.tensor_scatter_update(grad, indices, g.zeros_like(updates)), None, g.gather_nd(grad, indices)


@RegisterGradient("TensorScatterAdd")
def _tensor_scatter_add(op: Any, grad: Any) -> Any:
    return grad, None, g.gather_nd(grad, op.inputs[1])


@RegisterGradient("TensorScatterSub")
def _tensor_scatter_sub(op: Any, grad: Any) -> Any:
    return grad, None, g.neg(g.gather_nd(grad, op.inputs[1]))


@RegisterGradient("MatrixDiagPart")
def _matrix_diag_part(op: Any, grad: Any) -> Any:
    shape = op.inputs[0]._shape_tuple()
    if shape is not None and shape[-1] is not None and shape[-1] == shape[-2]:
        return g.matrix_diag(grad)
    return g.matrix_set_diag(g.zeros_like(op.inputs[0]), grad)


@RegisterGradient("MatrixSetDiag")
def _matrix_set_diag(op: Any, grad: Any) -> Any:
    return g.matrix_set_diag(grad, g.zeros_like(op.inputs[1])), g.matrix_diag_part(grad)
