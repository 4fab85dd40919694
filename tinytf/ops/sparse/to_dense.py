"""Dense tensors of SparseTensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.name_scope import name_scope
from tinytf.framework.sparse_tensor import SparseTensor
from tinytf.framework.tensor import Tensor
from tinytf.ops.array.filling import fill, zeros
from tinytf.ops.array.shape_ops import expand_dims, shape
from tinytf.ops.sparse.sparse_ops import sparse_merge
from tinytf.ops.sparse.sparse_parts import converted


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
    """A tensor of values at the places that are given, of one value elsewhere.

    Args:
      sparse_indices: int32 or int64 [n, rank], a place in a row; [n] or [] for one dimension.
      output_shape: of the same type [rank].
      sparse_values: the values [n], or one [] for all.
      default_value: the value elsewhere [], of their type.
      validate_indices: whether the places have to be in order, without repetition; else the last of equal ones counts.

    InvalidArgumentError for places beyond the shape, and for parts that do not fit each other.
    """
    return gen_ops.sparse_to_dense(
        sparse_indices, output_shape, sparse_values, default_value, validate_indices=validate_indices, name=name
    )


@tf_export("sparse.to_dense", "sparse_tensor_to_dense")
@called_by_users
def sparse_tensor_to_dense(
    sp_input: Any, default_value: Any = None, validate_indices: bool = True, name: str | None = None
) -> Tensor:
    """The tensor that a SparseTensor stands for, with `default_value` [] where it has none: 0, "" or False when that is None.

    InvalidArgumentError for indices beyond its shape, and with `validate_indices` for those that are not in order, or
    repeated. TypeError for what is no SparseTensor.
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
    """Which numbers stand in each row: a bool tensor whose last dimension has `vocab_size` places, in place of that of a
    SparseTensor of int32 or int64.

    TypeError for what is no SparseTensor, and for one of another type. InvalidArgumentError for numbers beyond the size.
    """
    sp_input = converted(sp_input)
    with name_scope(name, "SparseToIndicator", [sp_input]) as scope:
        yes = fill(expand_dims(shape(sp_input.indices)[0], 0), True)
        marked = SparseTensor(sp_input.indices, yes, sp_input.dense_shape)
        merged = sparse_merge(sp_input, marked, vocab_size, scope)
        return sparse_tensor_to_dense(merged, default_value=False, validate_indices=False, name=scope)
