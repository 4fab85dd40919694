"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.array_ops import _BroadcastGradientArgsOutputs, _ListDiffOutputs, _UniqueOutputs, _UniqueV2Outputs, _UniqueWithCountsOutputs, _UniqueWithCountsV2Outputs

def BatchToSpaceND(*, input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None) -> Tensor:
    """Undoes SpaceToBatchND; `crops` is cut off at the edges."""

def Bitcast(*, input: TensorLike, type: DTypeLike, name: str | None = None) -> Tensor:
    """The same bytes as another type; a last dimension appears or goes where the element sizes differ."""

def BroadcastArgs(*, s0: TensorLike, s1: TensorLike, name: str | None = None) -> Tensor:
    """The shape that shapes `s0` and `s1` broadcast to."""

def BroadcastGradientArgs(*, s0: TensorLike, s1: TensorLike, name: str | None = None) -> _BroadcastGradientArgsOutputs:
    """For operands of shapes `s0` and `s1` that were broadcast together, the dimensions over which to sum the gradient of each."""

def BroadcastTo(*, input: TensorLike, shape: TensorLike, name: str | None = None) -> Tensor:
    """`input` broadcast to `shape` by NumPy's rules."""

def CheckNumerics(*, tensor: TensorLike, message: str | bytes, name: str | None = None) -> Tensor:
    """`tensor`; InvalidArgument with `message` if it holds a NaN or an infinity."""

def Concat(*, concat_dim: TensorLike, values: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """ConcatV2 of older GraphDefs."""

def ConcatOffset(*, concat_dim: TensorLike, shape: Sequence[TensorLike], name: str | None = None) -> list[Tensor]:
    """Where each tensor, given by its shape, begins within the concatenation of all along `concat_dim`."""

def ConcatV2(*, values: Sequence[TensorLike], axis: TensorLike, name: str | None = None) -> Tensor:
    """The tensors joined along dimension `axis`; their other dimensions must match."""

def ConjugateTranspose(*, x: TensorLike, perm: TensorLike, name: str | None = None) -> Tensor:
    """Transpose with every element conjugated."""

def Const(*, value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """The tensor `value`."""

def DepthToSpace(*, input: TensorLike, block_size: int, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Channels laid out as square blocks of an image; undoes SpaceToDepth."""

def Diag(*, diagonal: TensorLike, name: str | None = None) -> Tensor:
    """Zeros of shape `diagonal.shape + diagonal.shape` with output[i…, i…] = diagonal[i…]."""

def DiagPart(*, input: TensorLike, name: str | None = None) -> Tensor:
    """diagonal[i…] = input[i…, i…]; the two halves of `input`'s shape must be equal."""

def EnsureShape(*, input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """`input`; InvalidArgument if its shape does not fit `shape`."""

def ExpandDims(*, input: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """`input` with a dimension of size 1 inserted at `dim` in [-rank - 1, rank]."""

def Fill(*, dims: TensorLike, value: TensorLike, name: str | None = None) -> Tensor:
    """A tensor of shape `dims` in which every element is the scalar `value`."""

def Gather(*, params: TensorLike, indices: TensorLike, validate_indices: bool | None = True, name: str | None = None) -> Tensor:
    """Rows of `params` at `indices`."""

def GatherNd(*, params: TensorLike, indices: TensorLike, name: str | None = None) -> Tensor:
    """Slices of `params` at the coordinates in the last dimension of `indices`: shape `indices.shape[:-1] + params.shape[indices.shape[-1]:]`."""

def GatherV2(*, params: TensorLike, indices: TensorLike, axis: TensorLike, batch_dims: int | None = 0, name: str | None = None) -> Tensor:
    """Slices of `params` along `axis` at `indices`; the leading `batch_dims` dimensions of both go together. InvalidArgument if an index is out of range."""

def Identity(*, input: TensorLike, name: str | None = None) -> Tensor:
    """`input`, under a name of its own."""

def IdentityN(*, input: Sequence[TensorLike], name: str | None = None) -> list[Tensor]:
    """The inputs; none is available before all are."""

def InvertPermutation(*, x: TensorLike, name: str | None = None) -> Tensor:
    """y[x[i]] = i. InvalidArgument unless the vector `x` is a permutation of 0 … n - 1."""

def ListDiff(*, x: TensorLike, y: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _ListDiffOutputs:
    """The elements of the vector `x` that `y` does not hold, in order, and where they stand in `x`."""

def MatrixBandPart(*, input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None) -> Tensor:
    """The matrices with all but `num_lower` subdiagonals and `num_upper` superdiagonals (negative: all) zeroed."""

def MatrixDiag(*, diagonal: TensorLike, name: str | None = None) -> Tensor:
    """Square matrices with the vectors of the last dimension on their diagonals."""

def MatrixDiagPart(*, input: TensorLike, name: str | None = None) -> Tensor:
    """The main diagonals of the matrices in the last two dimensions."""

def MatrixDiagPartV2(*, input: TensorLike, k: TensorLike, padding_value: TensorLike, name: str | None = None) -> Tensor:
    """Diagonals of the matrices in the last two dimensions, filled up with `padding_value`. `k` is one diagonal's number or the pair of the lowest and the highest; several diagonals stand in the last two dimensions, from the highest to the lowest, each in a row as long as the longest."""

def MatrixDiagPartV3(*, input: TensorLike, k: TensorLike, padding_value: TensorLike, align: str | bytes | None = 'RIGHT_LEFT', name: str | None = None) -> Tensor:
    """Diagonals of the matrices in the last two dimensions, filled up with `padding_value`. `k` is one diagonal's number or the pair of the lowest and the highest; several diagonals stand in the last two dimensions, from the highest to the lowest, each in a row as long as the longest. `align` says to which end of their rows diagonals above and below the main one are moved."""

def MatrixDiagV2(*, diagonal: TensorLike, k: TensorLike, num_rows: TensorLike, num_cols: TensorLike, padding_value: TensorLike, name: str | None = None) -> Tensor:
    """Matrices with the given diagonals, and `padding_value` elsewhere. Numbers of rows and columns that are -1 are the smallest possible, both -1 a square. `k` is one diagonal's number or the pair of the lowest and the highest; several diagonals stand in the last two dimensions, from the highest to the lowest, each in a row as long as the longest."""

def MatrixDiagV3(*, diagonal: TensorLike, k: TensorLike, num_rows: TensorLike, num_cols: TensorLike, padding_value: TensorLike, align: str | bytes | None = 'RIGHT_LEFT', name: str | None = None) -> Tensor:
    """Matrices with the given diagonals, and `padding_value` elsewhere. Numbers of rows and columns that are -1 are the smallest possible, both -1 a square. `k` is one diagonal's number or the pair of the lowest and the highest; several diagonals stand in the last two dimensions, from the highest to the lowest, each in a row as long as the longest. `align` says to which end of their rows diagonals above and below the main one are moved."""

def MatrixSetDiag(*, input: TensorLike, diagonal: TensorLike, name: str | None = None) -> Tensor:
    """`input` with the main diagonals of its matrices replaced."""

def MatrixSetDiagV2(*, input: TensorLike, diagonal: TensorLike, k: TensorLike, name: str | None = None) -> Tensor:
    """`input` with some diagonals of its matrices replaced. `k` is one diagonal's number or the pair of the lowest and the highest; several diagonals stand in the last two dimensions, from the highest to the lowest, each in a row as long as the longest."""

def MatrixSetDiagV3(*, input: TensorLike, diagonal: TensorLike, k: TensorLike, align: str | bytes | None = 'RIGHT_LEFT', name: str | None = None) -> Tensor:
    """`input` with some diagonals of its matrices replaced. `k` is one diagonal's number or the pair of the lowest and the highest; several diagonals stand in the last two dimensions, from the highest to the lowest, each in a row as long as the longest. `align` says to which end of their rows diagonals above and below the main one are moved."""

def MirrorPad(*, input: TensorLike, paddings: TensorLike, mode: str | bytes, name: str | None = None) -> Tensor:
    """Pad with the mirror image of `input`; REFLECT leaves the border elements out, SYMMETRIC repeats them."""

def MirrorPadGrad(*, input: TensorLike, paddings: TensorLike, mode: str | bytes, name: str | None = None) -> Tensor:
    """Gradient of MirrorPad: what lies in the rim is added where it was mirrored from."""

def OneHot(*, indices: TensorLike, depth: TensorLike, on_value: TensorLike, off_value: TensorLike, axis: int | None = -1, name: str | None = None) -> Tensor:
    """`indices` with a new dimension of size `depth` at `axis` (-1: last) that holds `on_value` at the index and `off_value` elsewhere; an index out of range gives all `off_value`."""

def OnesLike(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Ones (true) in the shape of `x`."""

def Pack(*, values: Sequence[TensorLike], axis: int | None = 0, name: str | None = None) -> Tensor:
    """N tensors of one shape stacked along a new dimension `axis`."""

def Pad(*, input: TensorLike, paddings: TensorLike, name: str | None = None) -> Tensor:
    """`input` with `paddings[d, 0]` zeros before and `paddings[d, 1]` after it in dimension d."""

def PadV2(*, input: TensorLike, paddings: TensorLike, constant_values: TensorLike, name: str | None = None) -> Tensor:
    """Pad with the scalar `constant_values` in place of zero."""

def ParallelConcat(*, values: Sequence[TensorLike], shape: ShapeLike, name: str | None = None) -> Tensor:
    """The N tensors [1, ...] joined along dimension 0 into one of the given `shape` [N, ...]."""

def Placeholder(*, dtype: DTypeLike, shape: ShapeLike = None, name: str | None = None) -> Tensor:
    """A value that the caller feeds; InvalidArgument if it is computed instead."""

def PlaceholderV2(*, dtype: DTypeLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Placeholder of older GraphDefs."""

def PlaceholderWithDefault(*, input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """What is fed, by default `input`."""

def PreventGradient(*, input: TensorLike, message: str | bytes | None = '', name: str | None = None) -> Tensor:
    """`input`; asking for a gradient through it is an error that quotes `message`."""

def Rank(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Number of dimensions of `input`."""

def RefIdentity(*, input: RefLike, name: str | None = None) -> Tensor:
    """The reference `input`, under a name of its own."""

def Reshape(*, tensor: TensorLike, shape: TensorLike, name: str | None = None) -> Tensor:
    """`tensor` under another shape of equal element count; one size may be -1, which stands for what is left. The memory is shared."""

def ResourceStridedSliceAssign(*, ref: Tensor, begin: TensorLike, end: TensorLike, strides: TensorLike, value: TensorLike, begin_mask: int | None = 0, end_mask: int | None = 0, ellipsis_mask: int | None = 0, new_axis_mask: int | None = 0, shrink_axis_mask: int | None = 0, name: str | None = None) -> Operation:
    """Writes `value` where StridedSlice of the variable with these arguments reads."""

def ReverseSequence(*, input: TensorLike, seq_lengths: TensorLike, seq_dim: int, batch_dim: int | None = 0, name: str | None = None) -> Tensor:
    """For each index b of `batch_dim`, the first `seq_lengths[b]` entries along `seq_dim` reversed."""

def ReverseV2(*, tensor: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """`tensor` with the order along each of the dimensions `axis` reversed."""

def Roll(*, input: TensorLike, shift: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """`input` rotated by `shift` places along `axis`; both may be vectors."""

def Shape(*, input: TensorLike, out_type: DTypeLike | None = _dtypes.int32, name: str | None = None) -> Tensor:
    """Shape of `input`, as a vector."""

def ShapeN(*, input: Sequence[TensorLike], out_type: DTypeLike | None = _dtypes.int32, name: str | None = None) -> list[Tensor]:
    """Shapes of the inputs, as vectors."""

def Size(*, input: TensorLike, out_type: DTypeLike | None = _dtypes.int32, name: str | None = None) -> Tensor:
    """Number of elements of `input`."""

def Slice(*, input: TensorLike, begin: TensorLike, size: TensorLike, name: str | None = None) -> Tensor:
    """The block of `input` that starts at `begin` and has shape `size`, where -1 means up to the end."""

def Snapshot(*, input: TensorLike, name: str | None = None) -> Tensor:
    """`input`."""

def SpaceToBatchND(*, input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None) -> Tensor:
    """`input` [batch, spatial…, rest…] padded with zeros and cut into blocks, the places of a block along the batch."""

def SpaceToDepth(*, input: TensorLike, block_size: int, data_format: str | bytes | None = 'NHWC', name: str | None = None) -> Tensor:
    """Square blocks of an image laid into its channels."""

def Split(*, axis: TensorLike, value: TensorLike, num_split: int, name: str | None = None) -> list[Tensor]:
    """`value` cut into `num_split` equal pieces along `split_dim`."""

def SplitV(*, value: TensorLike, size_splits: TensorLike, axis: TensorLike, num_split: int, name: str | None = None) -> list[Tensor]:
    """`value` cut into pieces of sizes `size_splits` along `split_dim`; one size may be -1, the rest."""

def Squeeze(*, input: TensorLike, axis: Sequence[int] | None = (), name: str | None = None) -> Tensor:
    """`input` without its dimensions of size 1, or without those that `squeeze_dims` names, which must be 1."""

def StopGradient(*, input: TensorLike, name: str | None = None) -> Tensor:
    """`input`, as a constant for gradients."""

def StridedSlice(*, input: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, begin_mask: int | None = 0, end_mask: int | None = 0, ellipsis_mask: int | None = 0, new_axis_mask: int | None = 0, shrink_axis_mask: int | None = 0, name: str | None = None) -> Tensor:
    """`input[begin:end:strides, …]` with NumPy's meaning; bit i of a mask says that entry i has no begin or end, is `...`, adds an axis, or is an index that drops its axis."""

def StridedSliceAssign(*, ref: RefLike, begin: TensorLike, end: TensorLike, strides: TensorLike, value: TensorLike, begin_mask: int | None = 0, end_mask: int | None = 0, ellipsis_mask: int | None = 0, new_axis_mask: int | None = 0, shrink_axis_mask: int | None = 0, name: str | None = None) -> Tensor:
    """Writes `value` where StridedSlice of the variable with these arguments reads; passes the reference on."""

def StridedSliceGrad(*, shape: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, dy: TensorLike, begin_mask: int | None = 0, end_mask: int | None = 0, ellipsis_mask: int | None = 0, new_axis_mask: int | None = 0, shrink_axis_mask: int | None = 0, name: str | None = None) -> Tensor:
    """Zeros of shape `shape` with `dy` where StridedSlice with these arguments reads."""

def Tile(*, input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor:
    """`input` repeated `multiples[i]` times along dimension i."""

def Transpose(*, x: TensorLike, perm: TensorLike, name: str | None = None) -> Tensor:
    """Dimension i of the result is dimension `perm[i]` of `x`."""

def Unique(*, x: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _UniqueOutputs:
    """The distinct values of the vector `x` in order of appearance, and for each element its place among them."""

def UniqueV2(*, x: TensorLike, axis: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _UniqueV2Outputs:
    """The distinct slices of `x` along `axis` (a vector of at most one element) in order of appearance."""

def UniqueWithCounts(*, x: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _UniqueWithCountsOutputs:
    """Unique, and how often each value occurs."""

def UniqueWithCountsV2(*, x: TensorLike, axis: TensorLike, out_idx: DTypeLike | None = _dtypes.int32, name: str | None = None) -> _UniqueWithCountsV2Outputs:
    """UniqueV2, and how often each slice occurs."""

def Unpack(*, value: TensorLike, num: int, axis: int | None = 0, name: str | None = None) -> list[Tensor]:
    """The slices of `value` along `axis`, which must have size `num`."""

def Where(*, condition: TensorLike, name: str | None = None) -> Tensor:
    """Coordinates [number of true elements, rank] of the elements that are not zero, in row-major order."""

def ZerosLike(*, x: TensorLike, name: str | None = None) -> Tensor:
    """Zeros (false, empty strings) in the shape of `x`."""
