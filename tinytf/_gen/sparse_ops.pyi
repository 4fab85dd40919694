"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def add_many_sparse_to_tensors_map(sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor: ...
def add_sparse_to_tensors_map(sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor: ...
class _DenseToDenseSetOperationOutputs(NamedTuple):
    result_indices: Tensor
    result_values: Tensor
    result_shape: Tensor
def dense_to_dense_set_operation(set1: TensorLike, set2: TensorLike, set_operation: str | bytes, validate_indices: bool | None = True, name: str | None = None) -> _DenseToDenseSetOperationOutputs: ...
class _DenseToSparseSetOperationOutputs(NamedTuple):
    result_indices: Tensor
    result_values: Tensor
    result_shape: Tensor
def dense_to_sparse_set_operation(set1: TensorLike, set2_indices: TensorLike, set2_values: TensorLike, set2_shape: TensorLike, set_operation: str | bytes, validate_indices: bool | None = True, name: str | None = None) -> _DenseToSparseSetOperationOutputs: ...
class _DeserializeManySparseOutputs(NamedTuple):
    sparse_indices: Tensor
    sparse_values: Tensor
    sparse_shape: Tensor
def deserialize_many_sparse(serialized_sparse: TensorLike, dtype: DTypeLike, name: str | None = None) -> _DeserializeManySparseOutputs: ...
class _DeserializeSparseOutputs(NamedTuple):
    sparse_indices: Tensor
    sparse_values: Tensor
    sparse_shape: Tensor
def deserialize_sparse(serialized_sparse: TensorLike, dtype: DTypeLike, name: str | None = None) -> _DeserializeSparseOutputs: ...
def serialize_many_sparse(sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, out_type: DTypeLike | None = _dtypes.string, name: str | None = None) -> Tensor: ...
def serialize_sparse(sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, out_type: DTypeLike | None = _dtypes.string, name: str | None = None) -> Tensor: ...
def set_size(set_indices: TensorLike, set_values: TensorLike, set_shape: TensorLike, validate_indices: bool | None = True, name: str | None = None) -> Tensor: ...
class _SparseAddOutputs(NamedTuple):
    sum_indices: Tensor
    sum_values: Tensor
    sum_shape: Tensor
def sparse_add(a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b_indices: TensorLike, b_values: TensorLike, b_shape: TensorLike, thresh: TensorLike, name: str | None = None) -> _SparseAddOutputs: ...
class _SparseAddGradOutputs(NamedTuple):
    a_val_grad: Tensor
    b_val_grad: Tensor
def sparse_add_grad(backprop_val_grad: TensorLike, a_indices: TensorLike, b_indices: TensorLike, sum_indices: TensorLike, name: str | None = None) -> _SparseAddGradOutputs: ...
class _SparseConcatOutputs(NamedTuple):
    output_indices: Tensor
    output_values: Tensor
    output_shape: Tensor
def sparse_concat(indices: Sequence[TensorLike], values: Sequence[TensorLike], shapes: Sequence[TensorLike], concat_dim: int, name: str | None = None) -> _SparseConcatOutputs: ...
def sparse_dense_cwise_add(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor: ...
def sparse_dense_cwise_div(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor: ...
def sparse_dense_cwise_mul(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor: ...
class _SparseReorderOutputs(NamedTuple):
    output_indices: Tensor
    output_values: Tensor
def sparse_reorder(input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, name: str | None = None) -> _SparseReorderOutputs: ...
class _SparseReshapeOutputs(NamedTuple):
    output_indices: Tensor
    output_shape: Tensor
def sparse_reshape(input_indices: TensorLike, input_shape: TensorLike, new_shape: TensorLike, name: str | None = None) -> _SparseReshapeOutputs: ...
def sparse_tensor_dense_add(a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b: TensorLike, name: str | None = None) -> Tensor: ...
def sparse_tensor_dense_mat_mul(a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b: TensorLike, adjoint_a: bool | None = False, adjoint_b: bool | None = False, name: str | None = None) -> Tensor: ...
def sparse_to_dense(sparse_indices: TensorLike, output_shape: TensorLike, sparse_values: TensorLike, default_value: TensorLike, validate_indices: bool | None = True, name: str | None = None) -> Tensor: ...
class _SparseToSparseSetOperationOutputs(NamedTuple):
    result_indices: Tensor
    result_values: Tensor
    result_shape: Tensor
def sparse_to_sparse_set_operation(set1_indices: TensorLike, set1_values: TensorLike, set1_shape: TensorLike, set2_indices: TensorLike, set2_values: TensorLike, set2_shape: TensorLike, set_operation: str | bytes, validate_indices: bool | None = True, name: str | None = None) -> _SparseToSparseSetOperationOutputs: ...
class _TakeManySparseFromTensorsMapOutputs(NamedTuple):
    sparse_indices: Tensor
    sparse_values: Tensor
    sparse_shape: Tensor
def take_many_sparse_from_tensors_map(sparse_handles: TensorLike, dtype: DTypeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> _TakeManySparseFromTensorsMapOutputs: ...
