"""Conversion of sparse data to dense tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.ops.array.constant_tensors import fill, zeros
from tinytf._src.ops.array.shape_ops import expand_dims, shape
from tinytf._src.ops.sparse.sparse_ops import sparse_merge
from tinytf._src.ops.sparse.sparse_parts import converted


@tf_export("sparse_to_dense")
@called_by_users
def sparse_to_dense(
    sparse_indices: Any,
    output_shape: Any,
    sparse_values: Any,
    default_value: Any = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """Creates a dense tensor from values at given indices; indices out of range raise InvalidArgumentError at run time.

    Args:
      sparse_indices: int32 or int64 tensor: [n, rank], or [n] or a scalar for rank 1.
      output_shape: vector [rank] of the same dtype.
      sparse_values: vector [n], or a scalar for all indices.
      default_value: scalar for all other elements.
      validate_indices: bool, whether unsorted or repeated indices are errors; otherwise the last of equal ones counts.
      name: optional name of the operation.

    Returns:
      A tensor of shape `output_shape` and the dtype of `sparse_values`.
    """
    return gen_ops.sparse_to_dense(
        sparse_indices, output_shape, sparse_values, default_value, validate_indices=validate_indices, name=name
    )


@tf_export("sparse.to_dense", "sparse_tensor_to_dense")
@called_by_users
def sparse_tensor_to_dense(
    sp_input: Any, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> Tensor:
    """Converts a SparseTensor to a dense tensor; indices out of range raise InvalidArgumentError at run time.

    Args:
      sp_input: SparseTensor.
      default_value: optional scalar for missing elements; defaults to 0, "" or False.
      validate_indices: bool, whether unsorted or repeated indices are errors.
      name: optional name of the operation.

    Returns:
      A tensor of the dtype of `sp_input`.

    Raises:
      TypeError: if `sp_input` is not a SparseTensor.
    """
    sp_input = converted(sp_input)
    if default_value is None:
        default_value = zeros([], dtype=sp_input.dtype)
    return sparse_to_dense(
        sp_input.indices, sp_input.dense_shape, sp_input.values, default_value, validate_indices, name
    )


@tf_export("sparse.to_indicator", "sparse_to_indicator")
@called_by_users
def sparse_to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Tensor:
    """Converts sets of ids to a bool tensor that is True at the ids; ids out of range raise InvalidArgumentError at run
    time.

    Args:
      sp_input: int32 or int64 SparseTensor whose last dimension holds the ids of a set.
      vocab_size: int or integer scalar.
      name: optional name of the operation.

    Returns:
      A bool tensor whose last dimension is replaced by one of size `vocab_size`.

    Raises:
      TypeError: if `sp_input` is not a SparseTensor.
    """
    sp_input = converted(sp_input)
    with name_scope(name, "SparseToIndicator", [sp_input]) as scope:
        yes = fill(expand_dims(shape(sp_input.indices)[0], 0), True)
        marked = SparseTensor(sp_input.indices, yes, sp_input.dense_shape)
        merged = sparse_merge(sp_input, marked, vocab_size, scope)
        return sparse_tensor_to_dense(merged, default_value=False, validate_indices=False, name=scope)
