"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def sparse_dense_cwise_add(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor: ...
def sparse_dense_cwise_div(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor: ...
def sparse_dense_cwise_mul(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor: ...
class _SparseReorderOutputs(NamedTuple):
    output_indices: Tensor
    output_values: Tensor
def sparse_reorder(input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, name: str | None = None) -> _SparseReorderOutputs: ...
