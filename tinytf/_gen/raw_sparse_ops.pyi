"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.sparse_ops import _DenseToDenseSetOperationOutputs, _DenseToSparseSetOperationOutputs, _DeserializeManySparseOutputs, _DeserializeSparseOutputs, _SparseAddOutputs, _SparseAddGradOutputs, _SparseConcatOutputs, _SparseReorderOutputs, _SparseReshapeOutputs, _SparseToSparseSetOperationOutputs, _TakeManySparseFromTensorsMapOutputs

def AddManySparseToTensorsMap(*, sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Keeps the rows of a SparseTensor, which must be in order, in the session; the numbers under which they are kept."""

def AddSparseToTensorsMap(*, sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Keeps a SparseTensor in the session; the number under which it is kept."""

def DenseToDenseSetOperation(*, set1: TensorLike, set2: TensorLike, set_operation: str | bytes, validate_indices: bool | None = True, name: str | None = None) -> _DenseToDenseSetOperationOutputs:
    """An operation on the sets along the last dimensions of two tensors. `set_operation` is "union", "intersection", "a-b" or "b-a". The result is a SparseTensor: elements of a set stand in order, from index 0 of the last dimension on, which is as long as the largest set. Indices of sparse operands must be in order, whatever `validate_indices` is."""

def DenseToSparseSetOperation(*, set1: TensorLike, set2_indices: TensorLike, set2_values: TensorLike, set2_shape: TensorLike, set_operation: str | bytes, validate_indices: bool | None = True, name: str | None = None) -> _DenseToSparseSetOperationOutputs:
    """An operation on the sets along the last dimensions of a tensor and a SparseTensor. `set_operation` is "union", "intersection", "a-b" or "b-a". The result is a SparseTensor: elements of a set stand in order, from index 0 of the last dimension on, which is as long as the largest set. Indices of sparse operands must be in order, whatever `validate_indices` is."""

def DeserializeManySparse(*, serialized_sparse: TensorLike, dtype: DTypeLike, name: str | None = None) -> _DeserializeManySparseOutputs:
    """A SparseTensor whose rows are the SparseTensors of as many triples of TensorProtos."""

def DeserializeSparse(*, serialized_sparse: TensorLike, dtype: DTypeLike, name: str | None = None) -> _DeserializeSparseOutputs:
    """The SparseTensor of three TensorProtos or variants; of more, one that has them side by side: the input's shape without its last dimension comes first in its shape."""

def SerializeManySparse(*, sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, out_type: DTypeLike | None = _dtypes.string, name: str | None = None) -> Tensor:
    """The rows of a SparseTensor, which must be in order, as TensorProtos or variants: three each."""

def SerializeSparse(*, sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, out_type: DTypeLike | None = _dtypes.string, name: str | None = None) -> Tensor:
    """A SparseTensor as three TensorProtos or variants: of its indices, values and shape."""

def SetSize(*, set_indices: TensorLike, set_values: TensorLike, set_shape: TensorLike, validate_indices: bool | None = True, name: str | None = None) -> Tensor:
    """How many different elements each set along the last dimension of a SparseTensor holds."""

def SparseAdd(*, a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b_indices: TensorLike, b_values: TensorLike, b_shape: TensorLike, thresh: TensorLike, name: str | None = None) -> _SparseAddOutputs:
    """The sum of two SparseTensors of one shape, whose elements are in order; without those sums of two elements that are closer to 0 than `thresh`."""

def SparseAddGrad(*, backprop_val_grad: TensorLike, a_indices: TensorLike, b_indices: TensorLike, sum_indices: TensorLike, name: str | None = None) -> _SparseAddGradOutputs:
    """The gradients by the values of two SparseTensors, of the gradient by those of their sum."""

def SparseConcat(*, indices: Sequence[TensorLike], values: Sequence[TensorLike], shapes: Sequence[TensorLike], concat_dim: int, name: str | None = None) -> _SparseConcatOutputs:
    """SparseTensors joined along a dimension, which counts from the end where it is negative; their other sizes are equal. The elements come in the order of their indices."""

def SparseDenseCwiseAdd(*, sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor:
    """The values sparse + dense of a sparse tensor (indices [n, rank], values [n], shape [rank]), `dense` broadcast to its shape; elements that it does not hold stay zeros."""

def SparseDenseCwiseDiv(*, sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor:
    """The values sparse / dense of a sparse tensor (indices [n, rank], values [n], shape [rank]), `dense` broadcast to its shape; elements that it does not hold stay zeros."""

def SparseDenseCwiseMul(*, sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor:
    """The values sparse * dense of a sparse tensor (indices [n, rank], values [n], shape [rank]), `dense` broadcast to its shape; elements that it does not hold stay zeros."""

def SparseReorder(*, input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, name: str | None = None) -> _SparseReorderOutputs:
    """The elements of a SparseTensor in the order of their indices, rows of the matrix `input_indices`; those of equal indices stay in order."""

def SparseReshape(*, input_indices: TensorLike, input_shape: TensorLike, new_shape: TensorLike, name: str | None = None) -> _SparseReshapeOutputs:
    """Where the elements of a SparseTensor are when it has another shape of as many elements, one size of which may be -1: it follows from the others."""

def SparseTensorDenseAdd(*, a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """The tensor `b` of up to 5 dimensions, with the values of a SparseTensor of its shape added where they belong, all of those that have one place."""

def SparseTensorDenseMatMul(*, a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b: TensorLike, adjoint_a: bool | None = False, adjoint_b: bool | None = False, name: str | None = None) -> Tensor:
    """The product of a SparseTensor of two dimensions, whose indices may stand in any order, and the matrix `b`; with `adjoint_a` the sparse one is transposed, its numbers as they are, with `adjoint_b` the conjugate transpose of `b` is taken."""

def SparseToDense(*, sparse_indices: TensorLike, output_shape: TensorLike, sparse_values: TensorLike, default_value: TensorLike, validate_indices: bool | None = True, name: str | None = None) -> Tensor:
    """A tensor of shape `output_shape` with `sparse_values`, a vector or one for all, at the rows of `sparse_indices`, and with the scalar `default_value` elsewhere. With `validate_indices` the rows have to be in order, without repetition; else the last of equal ones counts."""

def SparseToSparseSetOperation(*, set1_indices: TensorLike, set1_values: TensorLike, set1_shape: TensorLike, set2_indices: TensorLike, set2_values: TensorLike, set2_shape: TensorLike, set_operation: str | bytes, validate_indices: bool | None = True, name: str | None = None) -> _SparseToSparseSetOperationOutputs:
    """An operation on the sets along the last dimensions of two SparseTensors. `set_operation` is "union", "intersection", "a-b" or "b-a". The result is a SparseTensor: elements of a set stand in order, from index 0 of the last dimension on, which is as long as the largest set. Indices of sparse operands must be in order, whatever `validate_indices` is."""

def TakeManySparseFromTensorsMap(*, sparse_handles: TensorLike, dtype: DTypeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> _TakeManySparseFromTensorsMapOutputs:
    """The SparseTensors that are kept under some numbers, which leave, as rows of one; its other sizes are the largest of theirs."""
