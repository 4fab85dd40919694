"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.sparse_ops import _SparseReorderOutputs

def SparseDenseCwiseAdd(*, sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor:
    """The values sparse + dense of a sparse tensor (indices [n, rank], values [n], shape [rank]), `dense` broadcast to its shape; elements that it does not hold stay zeros."""

def SparseDenseCwiseDiv(*, sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor:
    """The values sparse / dense of a sparse tensor (indices [n, rank], values [n], shape [rank]), `dense` broadcast to its shape; elements that it does not hold stay zeros."""

def SparseDenseCwiseMul(*, sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, name: str | None = None) -> Tensor:
    """The values sparse * dense of a sparse tensor (indices [n, rank], values [n], shape [rank]), `dense` broadcast to its shape; elements that it does not hold stay zeros."""

def SparseReorder(*, input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, name: str | None = None) -> _SparseReorderOutputs:
    """The elements of a SparseTensor in the order of their indices, rows of the matrix `input_indices`; those of equal indices stay in order."""
