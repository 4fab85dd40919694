"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.sparse_ops import _DenseToDenseSetOperationOutputs, _DenseToSparseSetOperationOutputs, _DeserializeManySparseOutputs, _DeserializeSparseOutputs, _SparseAddOutputs, _SparseAddGradOutputs, _SparseConcatOutputs, _SparseReorderOutputs, _SparseReshapeOutputs, _SparseToSparseSetOperationOutputs, _TakeManySparseFromTensorsMapOutputs

def AddManySparseToTensorsMap(*, sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Keeps the rows of a SparseTensor, whose elements must be sorted, in the session and returns the numbers under which they are kept."""

def AddSparseToTensorsMap(*, sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Keeps a SparseTensor in the session and returns the number under which it is kept."""

def DenseToDenseSetOperation(*, set1: TensorLike, set2: TensorLike, set_operation: str | bytes, validate_indices: bool | None = True, name: str | None = None) -> _DenseToDenseSetOperationOutputs:
    """Computes a set operation on the sets along the last dimensions of two tensors. `set_operation` is "union", "intersection", "a-b" or "b-a". The result is a SparseTensor in which the elements of each set are sorted along the last dimension, whose size is that of the largest set. The indices of sparse operands must be sorted, even if `validate_indices` is false."""

def DenseToSparseSetOperation(*, set1: TensorLike, set2_indices: TensorLike, set2_values: TensorLike, set2_shape: TensorLike, set_operation: str | bytes, validate_indices: bool | None = True, name: str | None = None) -> _DenseToSparseSetOperationOutputs:
    """Computes a set operation on the sets along the last dimensions of a tensor and a SparseTensor. `set_operation` is "union", "intersection", "a-b" or "b-a". The result is a SparseTensor in which the elements of each set are sorted along the last dimension, whose size is that of the largest set. The indices of sparse operands must be sorted, even if `validate_indices` is false."""

def DeserializeManySparse(*, serialized_sparse: TensorLike, dtype: DTypeLike, name: str | None = None) -> _DeserializeManySparseOutputs:
    """Deserializes SparseTensors from the rows of `serialized_sparse`, each of which holds three TensorProtos, and stacks them along a new first dimension."""

def DeserializeSparse(*, serialized_sparse: TensorLike, dtype: DTypeLike, name: str | None = None) -> _DeserializeSparseOutputs:
    """Deserializes SparseTensors from triples of TensorProtos or variants in the last dimension of `serialized_sparse`. A single triple gives the SparseTensor itself; several are stacked, with the other dimensions of `serialized_sparse` as leading dimensions."""

def SerializeManySparse(*, sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, out_type: DTypeLike | None = _dtypes.string, name: str | None = None) -> Tensor:
    """Serializes each row along dimension 0 of a SparseTensor, whose elements must be sorted, as three TensorProtos or variants: indices, values and shape."""

def SerializeSparse(*, sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, out_type: DTypeLike | None = _dtypes.string, name: str | None = None) -> Tensor:
    """Serializes a SparseTensor as three TensorProtos or variants: indices, values and shape."""

def SetSize(*, set_indices: TensorLike, set_values: TensorLike, set_shape: TensorLike, validate_indices: bool | None = True, name: str | None = None) -> Tensor:
    """Counts the distinct elements of each set along the last dimension of a SparseTensor. The set is given by `set_indices`, `set_values` and `set_shape`."""

def SparseAdd(*, a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b_indices: TensorLike, b_values: TensorLike, b_shape: TensorLike, thresh: TensorLike, name: str | None = None) -> _SparseAddOutputs:
    """Adds two SparseTensors of equal shapes, whose elements must be sorted by their indices. Sums of two elements with absolute values below `thresh` are left out."""

def SparseAddGrad(*, backprop_val_grad: TensorLike, a_indices: TensorLike, b_indices: TensorLike, sum_indices: TensorLike, name: str | None = None) -> _SparseAddGradOutputs:
    """Computes the gradients of SparseAdd with respect to the values of both SparseTensors, from the gradient `backprop_val_grad` with respect to the values of the sum."""

def SparseConcat(*, indices: Sequence[TensorLike], values: Sequence[TensorLike], shapes: Sequence[TensorLike], concat_dim: int, name: str | None = None) -> _SparseConcatOutputs:
    """Concatenates SparseTensors along dimension `concat_dim`, which counts from the end if negative. Their other sizes must be equal. The elements of the result are sorted by their indices."""

def SparseDenseCwiseAdd(*, sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor:
    """Computes the values sparse + dense at the elements of a sparse tensor (indices [n, rank], values [n], shape [rank]), with `dense` broadcast to its shape. Elements that the sparse tensor does not hold stay zero."""

def SparseDenseCwiseDiv(*, sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor:
    """Computes the values sparse / dense at the elements of a sparse tensor (indices [n, rank], values [n], shape [rank]), with `dense` broadcast to its shape. Elements that the sparse tensor does not hold stay zero."""

def SparseDenseCwiseMul(*, sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor:
    """Computes the values sparse * dense at the elements of a sparse tensor (indices [n, rank], values [n], shape [rank]), with `dense` broadcast to its shape. Elements that the sparse tensor does not hold stay zero."""

def SparseReorder(*, input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, name: str | None = None) -> _SparseReorderOutputs:
    """Sorts the elements of a SparseTensor by their indices, the rows of `input_indices`. Elements with equal indices keep their order."""

def SparseReshape(*, input_indices: TensorLike, input_shape: TensorLike, new_shape: TensorLike, name: str | None = None) -> _SparseReshapeOutputs:
    """Computes the indices and the shape of a SparseTensor that is reshaped to `new_shape`, which must have the same number of elements. One size in `new_shape` may be -1; it is computed from the others."""

def SparseTensorDenseAdd(*, a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """Adds the values of a SparseTensor to the tensor `b` of the same shape, which has up to 5 dimensions. Values with equal indices are all added."""

def SparseTensorDenseMatMul(*, a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b: TensorLike, adjoint_a: bool | None = False, adjoint_b: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the matrix product of a two-dimensional SparseTensor, whose indices may be in any order, and the matrix `b`. With `adjoint_a` the sparse matrix is transposed but not conjugated; with `adjoint_b` the conjugate transpose of `b` is used."""

def SparseToDense(*, sparse_indices: TensorLike, output_shape: TensorLike, sparse_values: TensorLike, default_value: TensorLike, validate_indices: bool | None = True, name: str | None = None) -> Tensor:
    """Returns a tensor of shape `output_shape` with `sparse_values`, a vector or a scalar, at the indices in the rows of `sparse_indices`, and the scalar `default_value` elsewhere. With `validate_indices` the rows must be sorted and unique; otherwise the last of equal rows counts."""

def SparseToSparseSetOperation(*, set1_indices: TensorLike, set1_values: TensorLike, set1_shape: TensorLike, set2_indices: TensorLike, set2_values: TensorLike, set2_shape: TensorLike, set_operation: str | bytes, validate_indices: bool | None = True, name: str | None = None) -> _SparseToSparseSetOperationOutputs:
    """Computes a set operation on the sets along the last dimensions of two SparseTensors. `set_operation` is "union", "intersection", "a-b" or "b-a". The result is a SparseTensor in which the elements of each set are sorted along the last dimension, whose size is that of the largest set. The indices of sparse operands must be sorted, even if `validate_indices` is false."""

def TakeManySparseFromTensorsMap(*, sparse_handles: TensorLike, dtype: DTypeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> _TakeManySparseFromTensorsMapOutputs:
    """Takes the SparseTensors with the numbers `sparse_handles` out of the map and stacks them along a new first dimension. Each other size is the largest one among them."""
