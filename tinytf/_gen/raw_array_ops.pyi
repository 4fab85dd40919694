"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.array_ops import _BroadcastGradientArgsOutputs, _ListDiffOutputs, _UniqueOutputs, _UniqueV2Outputs, _UniqueWithCountsOutputs, _UniqueWithCountsV2Outputs

def BatchToSpaceND(*, input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None) -> Tensor:
    """Moves positions within blocks of shape `block_shape` from the batch dimension of `input` back to the spatial dimensions, and crops these by `crops`. It is the inverse of SpaceToBatchND."""

def Bitcast(*, input: TensorLike, type: DTypeLike, name: str | None = None) -> Tensor:
    """Reinterprets the bytes of `input` as elements of `type`. If the element sizes differ, the last dimension is removed or a new one is added."""

def BroadcastArgs(*, s0: TensorLike, s1: TensorLike, name: str | None = None) -> Tensor:
    """Computes the shape `r0` to which the shapes `s0` and `s1` broadcast."""

def BroadcastGradientArgs(*, s0: TensorLike, s1: TensorLike, name: str | None = None) -> _BroadcastGradientArgsOutputs:
    """For operands of shapes `s0` and `s1` that are broadcast together, computes the dimensions over which the gradient must be summed for each operand: `r0` for the first and `r1` for the second."""

def BroadcastTo(*, input: TensorLike, shape: TensorLike, name: str | None = None) -> Tensor:
    """Broadcasts `input` to `shape` by the rules of NumPy."""

def CheckNumerics(*, tensor: TensorLike, message: str | bytes, name: str | None = None) -> Tensor:
    """Passes `tensor` on unchanged. Fails with InvalidArgument, quoting `message`, if an element is NaN or infinite."""

def Concat(*, concat_dim: TensorLike, values: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """Concatenates the N tensors in `values` along dimension `concat_dim`. Older GraphDefs use it in place of ConcatV2."""

def ConcatOffset(*, concat_dim: TensorLike, shape: Sequence[TensorLike], name: str | None = None) -> list[Tensor]:
    """Computes the offset of each tensor within the concatenation along `concat_dim` of tensors with the shapes in `shape`."""

def ConcatV2(*, values: Sequence[TensorLike], axis: TensorLike, name: str | None = None) -> Tensor:
    """Concatenates the N tensors in `values` along dimension `axis`. Their other dimensions must be equal."""

def ConjugateTranspose(*, x: TensorLike, perm: TensorLike, name: str | None = None) -> Tensor:
    """Permutes the dimensions of `x` as Transpose does and conjugates every element."""

def Const(*, value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Returns the constant tensor `value`."""

def DepthToSpace(*, input: TensorLike, block_size: int, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Moves channels of `input` into square blocks of `block_size` * `block_size` pixels. It is the inverse of SpaceToDepth."""

def Diag(*, diagonal: TensorLike, name: str | None = None) -> Tensor:
    """Returns a tensor of shape `diagonal.shape + diagonal.shape` with output[i…, i…] = diagonal[i…] and zeros elsewhere."""

def DiagPart(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Returns the diagonal part of `input`, diagonal[i…] = input[i…, i…]. The two halves of the shape of `input` must be equal."""

def EnsureShape(*, input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Returns `input` unchanged. Fails with InvalidArgument if its shape is not compatible with `shape`."""

def ExpandDims(*, input: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """Inserts a dimension of size 1 into the shape of `input` at `dim`, which lies in [-rank - 1, rank]."""

def Fill(*, dims: TensorLike, value: TensorLike, name: str | None = None) -> Tensor:
    """Returns a tensor of shape `dims` in which every element is the scalar `value`."""

def Gather(*, params: TensorLike, indices: TensorLike, validate_indices: bool | None = True, name: str | None = None) -> Tensor:
    """Gathers the slices of `params` along dimension 0 at `indices`. Older GraphDefs use it in place of GatherV2."""

def GatherNd(*, params: TensorLike, indices: TensorLike, name: str | None = None) -> Tensor:
    """Gathers the slices of `params` at the coordinates in the last dimension of `indices`. The shape of `output` is `indices.shape[:-1] + params.shape[indices.shape[-1]:]`."""

def GatherV2(*, params: TensorLike, indices: TensorLike, axis: TensorLike, batch_dims: int | None = 0, name: str | None = None) -> Tensor:
    """Gathers the slices of `params` along `axis` at `indices`. The first `batch_dims` dimensions of both are batch dimensions: slices come from the batch element of their index. Fails with InvalidArgument if an index is out of range."""

def Identity(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Returns `input` unchanged."""

def IdentityN(*, input: Sequence[TensorLike], name: str | None = None) -> list[Tensor]:
    """Returns the tensors in `input` unchanged. No output is available before all inputs are."""

def InvertPermutation(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Computes the inverse of the permutation `x`: y[x[i]] = i. Fails with InvalidArgument unless `x` is a permutation of 0 … n - 1."""

def ListDiff(*, x: TensorLike, y: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _ListDiffOutputs:
    """Returns the elements of the vector `x` that do not occur in the vector `y`, in order, as `out`, and their indices in `x` as `idx`."""

def MatrixBandPart(*, input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None) -> Tensor:
    """Copies the matrices of `input` and zeroes all elements outside a central band of `num_lower` subdiagonals and `num_upper` superdiagonals. A negative number keeps all diagonals on that side."""

def MatrixDiag(*, diagonal: TensorLike, name: str | None = None) -> Tensor:
    """Returns square matrices with the vectors in the last dimension of `diagonal` on their main diagonals and zeros elsewhere."""

def MatrixDiagPart(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Returns the main diagonals of the matrices in the last two dimensions of `input`."""

def MatrixDiagPartV2(*, input: TensorLike, k: TensorLike, padding_value: TensorLike, name: str | None = None) -> Tensor:
    """Returns diagonals of the matrices in the last two dimensions of `input`, padded with `padding_value`. `k` is the index of one diagonal, or the pair of the lowest and the highest index; several diagonals are packed in the last two dimensions, from the highest to the lowest, in rows as long as the longest."""

def MatrixDiagPartV3(*, input: TensorLike, k: TensorLike, padding_value: TensorLike, align: str | bytes | None = 'RIGHT_LEFT', name: str | None = None) -> Tensor:
    """Returns diagonals of the matrices in the last two dimensions of `input`, padded with `padding_value`. `k` is the index of one diagonal, or the pair of the lowest and the highest index; several diagonals are packed in the last two dimensions, from the highest to the lowest, in rows as long as the longest. `align` says at which end of their rows the diagonals above and below the main diagonal are aligned."""

def MatrixDiagV2(*, diagonal: TensorLike, k: TensorLike, num_rows: TensorLike, num_cols: TensorLike, padding_value: TensorLike, name: str | None = None) -> Tensor:
    """Returns matrices with the given diagonals and `padding_value` elsewhere. If `num_rows` or `num_cols` is -1 it is the smallest possible number; if both are, the matrices are square. `k` is the index of one diagonal, or the pair of the lowest and the highest index; several diagonals are packed in the last two dimensions, from the highest to the lowest, in rows as long as the longest."""

def MatrixDiagV3(*, diagonal: TensorLike, k: TensorLike, num_rows: TensorLike, num_cols: TensorLike, padding_value: TensorLike, align: str | bytes | None = 'RIGHT_LEFT', name: str | None = None) -> Tensor:
    """Returns matrices with the given diagonals and `padding_value` elsewhere. If `num_rows` or `num_cols` is -1 it is the smallest possible number; if both are, the matrices are square. `k` is the index of one diagonal, or the pair of the lowest and the highest index; several diagonals are packed in the last two dimensions, from the highest to the lowest, in rows as long as the longest. `align` says at which end of their rows the diagonals above and below the main diagonal are aligned."""

def MatrixSetDiag(*, input: TensorLike, diagonal: TensorLike, name: str | None = None) -> Tensor:
    """Returns `input` with the main diagonals of the matrices in its last two dimensions replaced by `diagonal`."""

def MatrixSetDiagV2(*, input: TensorLike, diagonal: TensorLike, k: TensorLike, name: str | None = None) -> Tensor:
    """Returns `input` with some diagonals of its matrices replaced by `diagonal`. `k` is the index of one diagonal, or the pair of the lowest and the highest index; several diagonals are packed in the last two dimensions, from the highest to the lowest, in rows as long as the longest."""

def MatrixSetDiagV3(*, input: TensorLike, diagonal: TensorLike, k: TensorLike, align: str | bytes | None = 'RIGHT_LEFT', name: str | None = None) -> Tensor:
    """Returns `input` with some diagonals of its matrices replaced by `diagonal`. `k` is the index of one diagonal, or the pair of the lowest and the highest index; several diagonals are packed in the last two dimensions, from the highest to the lowest, in rows as long as the longest. `align` says at which end of their rows the diagonals above and below the main diagonal are aligned."""

def MirrorPad(*, input: TensorLike, paddings: TensorLike, mode: str | bytes, name: str | None = None) -> Tensor:
    """Pads `input` with its mirror image: `paddings[d, 0]` elements before and `paddings[d, 1]` after it in each dimension d. With `mode` REFLECT the border elements are not repeated, with SYMMETRIC they are."""

def MirrorPadGrad(*, input: TensorLike, paddings: TensorLike, mode: str | bytes, name: str | None = None) -> Tensor:
    """Computes the gradient of MirrorPad: adds each element in the padding of `input` to the element that it mirrors, and removes the padding."""

def OneHot(*, indices: TensorLike, depth: TensorLike, on_value: TensorLike, off_value: TensorLike, axis: int | None = -1, name: str | None = None) -> Tensor:
    """Inserts a dimension of size `depth` into the shape of `indices` at `axis` (-1 for the last). Along it the element at the index is `on_value` and all others are `off_value`. An index out of range gives only `off_value`."""

def OnesLike(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Returns ones (true for bools) in the shape of `x`."""

def Pack(*, values: Sequence[TensorLike], axis: int | None = 0, name: str | None = None) -> Tensor:
    """Stacks the N tensors in `values`, which must have equal shapes, along a new dimension `axis`."""

def Pad(*, input: TensorLike, paddings: TensorLike, name: str | None = None) -> Tensor:
    """Pads `input` with zeros: `paddings[d, 0]` before and `paddings[d, 1]` after it in each dimension d."""

def PadV2(*, input: TensorLike, paddings: TensorLike, constant_values: TensorLike, name: str | None = None) -> Tensor:
    """Pads `input` with the scalar `constant_values`: `paddings[d, 0]` elements before and `paddings[d, 1]` after it in each dimension d."""

def ParallelConcat(*, values: Sequence[TensorLike], shape: ShapeLike, name: str | None = None) -> Tensor:
    """Concatenates the N tensors of shape [1, ...] in `values` along dimension 0 into a tensor of the given `shape` [N, ...]."""

def Placeholder(*, dtype: DTypeLike, shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """Stands for a value that the caller must feed. Running it without a feed fails with InvalidArgument."""

def PlaceholderV2(*, dtype: DTypeLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Stands for a value that the caller must feed. Older GraphDefs use it in place of Placeholder."""

def PlaceholderWithDefault(*, input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Returns the fed value, or `input` if nothing is fed."""

def PreventGradient(*, input: TensorLike, message: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns `input` unchanged. Computing a gradient through it is an error that quotes `message`."""

def Rank(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Returns the number of dimensions of `input`."""

def RefIdentity(*, input: RefLike, name: str | None = None) -> Tensor:
    """Passes the reference `input` on unchanged."""

def Reshape(*, tensor: TensorLike, shape: TensorLike, name: str | None = None) -> Tensor:
    """Returns `tensor` with the given `shape`, which must have the same number of elements. One size may be -1; it is computed from the others. The output shares the memory of `tensor`."""

def ReverseSequence(*, input: TensorLike, seq_lengths: TensorLike, seq_dim: int, batch_dim: int | None = 0, name: str | None = None) -> Tensor:
    """For each index b along `batch_dim`, reverses the first `seq_lengths[b]` elements along `seq_dim` and copies the others."""

def ReverseV2(*, tensor: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """Reverses the order of the elements of `tensor` along each dimension in `axis`."""

def Roll(*, input: TensorLike, shift: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """Rolls the elements of `input` by `shift` positions along `axis`; elements moved beyond the end reappear at the beginning. `shift` and `axis` may be vectors of equal length."""

def Shape(*, input: TensorLike, out_type: DTypeLike | None = _dtypes.int32, name: str | None = None) -> Tensor:
    """Returns the shape of `input` as a vector."""

def ShapeN(*, input: Sequence[TensorLike], out_type: DTypeLike | None = _dtypes.int32, name: str | None = None) -> list[Tensor]:
    """Returns the shapes of the N tensors in `input` as vectors."""

def Size(*, input: TensorLike, out_type: DTypeLike | None = _dtypes.int32, name: str | None = None) -> Tensor:
    """Returns the number of elements of `input`."""

def Slice(*, input: TensorLike, begin: TensorLike, size: TensorLike, name: str | None = None) -> Tensor:
    """Returns the block of `input` that starts at `begin` and has shape `size`, where -1 means up to the end of the dimension."""

def Snapshot(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Returns `input` unchanged."""

def SpaceToBatchND(*, input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None) -> Tensor:
    """Pads the spatial dimensions of `input` [batch, spatial…, rest…] with zeros by `paddings` and divides them into blocks of shape `block_shape`. The positions within a block become part of the batch dimension."""

def SpaceToDepth(*, input: TensorLike, block_size: int, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Moves square blocks of `block_size` * `block_size` pixels of `input` into the channel dimension."""

def Split(*, axis: TensorLike, value: TensorLike, num_split: int, name: str | None = None) -> list[Tensor]:
    """Splits `value` into `num_split` equal pieces along dimension `split_dim`."""

def SplitV(*, value: TensorLike, size_splits: TensorLike, axis: TensorLike, num_split: int, name: str | None = None) -> list[Tensor]:
    """Splits `value` along dimension `split_dim` into pieces of the sizes `size_splits`. One size may be -1; it takes the rest."""

def Squeeze(*, input: TensorLike, axis: Sequence[int] | None = (), name: str | None = None) -> Tensor:
    """Removes the dimensions of size 1 from `input`: all of them if `squeeze_dims` is empty, else the named ones, whose size must be 1."""

def StopGradient(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Returns `input` unchanged. Gradients treat it as a constant."""

def StridedSlice(*, input: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, begin_mask: int | None = 0, end_mask: int | None = 0, ellipsis_mask: int | None = 0, new_axis_mask: int | None = 0, shrink_axis_mask: int | None = 0, name: str | None = None) -> Tensor:
    """Returns `input[begin:end:strides, …]` with the meaning of NumPy. Bit i of a mask applies to entry i: it has no begin (`begin_mask`), no end (`end_mask`), is `...` (`ellipsis_mask`), adds an axis (`new_axis_mask`), or is an index that removes its axis (`shrink_axis_mask`)."""

def StridedSliceGrad(*, shape: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, dy: TensorLike, begin_mask: int | None = 0, end_mask: int | None = 0, ellipsis_mask: int | None = 0, new_axis_mask: int | None = 0, shrink_axis_mask: int | None = 0, name: str | None = None) -> Tensor:
    """Computes the gradient of StridedSlice: a tensor of zeros of shape `shape` with `dy` written to the elements that StridedSlice reads with the same arguments."""

def Tile(*, input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor:
    """Repeats `input` `multiples[i]` times along each dimension i."""

def Transpose(*, x: TensorLike, perm: TensorLike, name: str | None = None) -> Tensor:
    """Permutes the dimensions of `x`: dimension i of `y` is dimension `perm[i]` of `x`."""

def Unique(*, x: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _UniqueOutputs:
    """Finds the distinct values `y` of the vector `x`, in order of first appearance, and for each element of `x` the index `idx` of its value in `y`."""

def UniqueV2(*, x: TensorLike, axis: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _UniqueV2Outputs:
    """Finds the distinct slices `y` of `x` along `axis`, in order of first appearance, and for each slice its index `idx` in `y`. `axis` is a vector; if it is empty, `x` must be a vector."""

def UniqueWithCounts(*, x: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _UniqueWithCountsOutputs:
    """Finds the distinct values `y` of the vector `x` and the indices `idx` as Unique does, and the number of occurrences `count` of each value."""

def UniqueWithCountsV2(*, x: TensorLike, axis: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _UniqueWithCountsV2Outputs:
    """Finds the distinct slices `y` and the indices `idx` as UniqueV2 does, and the number of occurrences `count` of each slice."""

def Unpack(*, value: TensorLike, num: int, axis: int | None = 0, name: str | None = None) -> list[Tensor]:
    """Splits `value` into `num` slices along `axis`, which must have size `num`, and removes that dimension."""

def Where(*, condition: TensorLike, name: str | None = None) -> Tensor:
    """Returns the coordinates of the nonzero (true) elements of `input` in row-major order, as a matrix with one row per element and one column per dimension."""

def ZerosLike(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Returns zeros (false for bools, empty strings for strings) in the shape of `x`."""
