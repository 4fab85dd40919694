"""Gradients of ops that move, slice, join and repeat elements."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.scopes.name_scope import colocate_with
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import rank, shape, size
from tinytf._src.ops import array_ops, math_ops


@gradient_of("Identity")
def _identity(_: Any, grad: Any) -> Any:
    return grad


gradient_of("RefIdentity")(_identity)
gradient_of("Snapshot", free=True)(_identity)
gradient_of("EnsureShape")(_identity)


@gradient_of("IdentityN")
def _identity_n(_: Any, *grads: Any) -> Any:
    return grads


@gradient_of("PlaceholderWithDefault")
def _placeholder_with_default(_: Any, grad: Any) -> Any:
    return grad


@gradient_of("PreventGradient")
def _prevent_gradient(op: Any, _: Any) -> Any:
    raise LookupError(f"Gradient explicitly disabled. Reason: {op.get_attr('message').decode()!r}")


@gradient_of("CheckNumerics")
def _check_numerics(op: Any, grad: Any) -> Any:
    own = op._raw_attr("message").decode()
    message = f"Not a number (NaN) or infinity (Inf) values detected in gradient. b'{own}'"
    return g.check_numerics(grad, message=message)


@gradient_of("Print")
def _print(op: Any, grad: Any) -> Any:
    return [grad] + [None] * (len(op.inputs) - 1)


def _like_input(op: Any, grad: Any) -> Any:
    """The gradient, reshaped like the op's first input."""
    return g.reshape(grad, shape(op.inputs[0]))


@gradient_of("Reshape")
def _reshape(op: Any, grad: Any) -> Any:
    return _like_input(op, grad), None


@gradient_of("ExpandDims")
def _expand_dims(op: Any, grad: Any) -> Any:
    return _like_input(op, grad), None


@gradient_of("Squeeze")
def _squeeze(op: Any, grad: Any) -> Any:
    return _like_input(op, grad)


@gradient_of("Transpose")
def _transpose(op: Any, grad: Any) -> Any:
    return array_ops.transpose(grad, g.invert_permutation(op.inputs[1])), None


@gradient_of("ConjugateTranspose")
def _conjugate_transpose(op: Any, grad: Any) -> Any:
    return array_ops.transpose(grad, g.invert_permutation(op.inputs[1]), conjugate=True), None


@gradient_of("Pack")
def _pack(op: Any, grad: Any) -> Any:
    return array_ops.unstack(grad, num=op._raw_attr("N"), axis=op._raw_attr("axis"))


@gradient_of("Unpack")
def _unpack(op: Any, *grads: Any) -> Any:
    return array_ops.stack(list(grads), axis=op._raw_attr("axis"))


@gradient_of("Split")
def _split(op: Any, *grads: Any) -> Any:
    return None, array_ops.concat(list(grads), op.inputs[0])


@gradient_of("SplitV")
def _split_v(op: Any, *grads: Any) -> Any:
    return array_ops.concat(list(grads), op.inputs[2]), None, None


@gradient_of("Slice")
def _slice(op: Any, grad: Any) -> Any:
    x, begin = op.inputs[0], op.inputs[1]
    ndims = rank(x)
    kept = shape(op.outputs[0], begin.dtype)
    column = array_ops.stack([ndims, 1])
    before = g.reshape(begin, column)
    after = g.reshape(shape(x, begin.dtype) - kept - begin, column)
    return g.pad(grad, array_ops.concat([before, after], 1)), None, None


@gradient_of("StridedSlice")
def _strided_slice(op: Any, grad: Any) -> Any:
    x, begin, end, strides = op.inputs
    masks = {
        m: op._raw_attr(m) for m in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    }
    return g.strided_slice_grad(shape(x, begin.dtype), begin, end, strides, grad, **masks), None, None, None


@gradient_of("StridedSliceGrad")
def _strided_slice_grad(op: Any, grad: Any) -> Any:
    begin, end, strides = op.inputs[1:4]
    masks = {
        m: op._raw_attr(m) for m in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    }
    return None, None, None, None, g.strided_slice(grad, begin, end, strides, **masks)


@gradient_of("Pad")
def _pad(op: Any, grad: Any) -> Any:
    x, paddings = op.inputs[0], op.inputs[1]
    extents = array_ops.stack([rank(x), 1])
    if paddings.dtype.base_dtype != dtypes.int32:
        extents = math_ops.cast(extents, paddings.dtype)
    before = g.slice(paddings, [0, 0], extents)
    begin = g.reshape(before, [-1])
    gradient = g.slice(grad, begin, shape(x, paddings.dtype))
    return [gradient] + [None] * (len(op.inputs) - 1)


gradient_of("PadV2")(_pad)


@gradient_of("MirrorPad")
def _mirror_pad(op: Any, grad: Any) -> Any:
    return g.mirror_pad_grad(grad, op.inputs[1], mode=op._raw_attr("mode").decode()), None


@gradient_of("MirrorPadGrad")
def _mirror_pad_grad(op: Any, grad: Any) -> Any:
    return g.mirror_pad(grad, op.inputs[1], mode=op._raw_attr("mode").decode()), None


@gradient_of("Tile")
def _tile(op: Any, grad: Any) -> Any:
    x, multiples = op.inputs
    own = shape(x, multiples.dtype)
    # Reshapes to [m0, s0, m1, s1, …] and sums over the repetitions.
    split = g.reshape(array_ops.transpose(array_ops.stack([multiples, own])), [-1])
    axes = math_ops.range(0, size(split), 2)
    if isinstance(grad, IndexedSlices):
        rows = math_ops.cast(own[0], grad.indices.dtype)
        grad = g.unsorted_segment_sum(grad.values, g.floor_mod(grad.indices, rows, name="mod"), rows)
        split = array_ops.concat([[1], split[1:]], axis=0)
    result = g.sum(g.reshape(grad, split), axes)
    result.set_shape(x.get_shape())
    return result, None


@gradient_of("Fill")
def _fill(_: Any, grad: Any) -> Any:
    return None, math_ops.reduce_sum(grad)


@gradient_of("BroadcastTo")
def _broadcast_to(op: Any, grad: Any) -> Any:
    x, full = op.inputs
    own = shape(x, full.dtype)
    axes = g.broadcast_gradient_args(full, own)[1]
    return g.reshape(g.sum(grad, axes, keep_dims=True), own), None


@gradient_of("Diag")
def _diag(_: Any, grad: Any) -> Any:
    return g.diag_part(grad)


@gradient_of("DiagPart")
def _diag_part(_: Any, grad: Any) -> Any:
    return g.diag(grad)


@gradient_of("MatrixDiag")
def _matrix_diag(_: Any, grad: Any) -> Any:
    return array_ops.matrix_diag_part(grad)


@gradient_of("MatrixBandPart")
def _matrix_band_part(op: Any, grad: Any) -> Any:
    return g.matrix_band_part(grad, op.inputs[1], op.inputs[2]), None, None


@gradient_of("ReverseV2")
def _reverse_v2(op: Any, grad: Any) -> Any:
    return g.reverse_v2(grad, op.inputs[1]), None


@gradient_of("ReverseSequence")
def _reverse_sequence(op: Any, grad: Any) -> Any:
    lengths = op.inputs[1]
    return g.reverse_sequence(grad, lengths, seq_dim=op._raw_attr("seq_dim"), batch_dim=op._raw_attr("batch_dim")), None


@gradient_of("Roll")
def _roll(op: Any, grad: Any) -> Any:
    return g.roll(grad, -op.inputs[1], op.inputs[2]), None, None


@gradient_of("SpaceToBatchND")
def _space_to_batch(op: Any, grad: Any) -> Any:
    return g.batch_to_space_nd(grad, op.inputs[1], op.inputs[2]), None, None


@gradient_of("BatchToSpaceND")
def _batch_to_space(op: Any, grad: Any) -> Any:
    return g.space_to_batch_nd(grad, op.inputs[1], op.inputs[2]), None, None


@gradient_of("SpaceToDepth")
def _space_to_depth(op: Any, grad: Any) -> Any:
    return g.depth_to_space(
        grad, block_size=op._raw_attr("block_size"), data_format=op._raw_attr("data_format").decode()
    )


@gradient_of("DepthToSpace")
def _depth_to_space(op: Any, grad: Any) -> Any:
    return g.space_to_depth(
        grad, block_size=op._raw_attr("block_size"), data_format=op._raw_attr("data_format").decode()
    )


@gradient_of("MatrixDiagPart")
def _matrix_diag_part(op: Any, grad: Any) -> Any:
    dims = op.inputs[0]._shape_tuple()
    if dims is not None and dims[-1] is not None and dims[-1] == dims[-2]:
        return array_ops.matrix_diag(grad)
    return array_ops.matrix_set_diag(array_ops.zeros_like(op.inputs[0]), grad)


@gradient_of("MatrixSetDiag")
def _matrix_set_diag(op: Any, grad: Any) -> Any:
    matrix = op.inputs[0].get_shape().merge_with(grad.get_shape())
    batch = matrix[:-2].merge_with(op.inputs[1].get_shape()[:-1])
    if batch.is_fully_defined() and matrix[-2:].is_fully_defined():
        diagonal: Any = [*batch.as_list(), min(matrix[-2:].as_list())]
    else:
        with colocate_with(grad):
            dims, ndims = shape(grad), rank(grad)
            outer = g.slice(dims, [0], [ndims - 2])
            smaller = math_ops.reduce_min(g.slice(dims, [ndims - 2], [2]))
            diagonal = array_ops.concat([outer, [smaller]], 0)
    return array_ops.matrix_set_diag(grad, array_ops.zeros(diagonal, dtype=grad.dtype)), array_ops.matrix_diag_part(
        grad
    )
