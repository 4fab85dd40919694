"""Sorting and merging of SparseTensors."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor, SparseTensorValue
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import expand_dims
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.sparse.sparse_parts import converted


@tf_export("sparse.reorder", "sparse_reorder")
@called_by_users
def sparse_reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """Sorts the elements of a SparseTensor by their indices, in row-major order.

    Args:
      sp_input: SparseTensor.
      name: optional name of the operation.

    Returns:
      A SparseTensor.

    Raises:
      TypeError: if `sp_input` is not a SparseTensor.
    """
    sp_input = converted(sp_input)
    indices, values = gen_ops.sparse_reorder(sp_input.indices, sp_input.values, sp_input.dense_shape, name=name)
    static = sp_input.get_shape()
    shape = static.as_list() if static.is_fully_defined() else gen_ops.identity(sp_input.dense_shape)
    return SparseTensor(indices, values, shape)


@tf_export("sparse.merge", "sparse_merge")
@called_by_users
def sparse_merge(
    sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None, already_sorted: bool = False
) -> SparseTensor:
    """Combines SparseTensors of ids and values to one, in which the ids replace the last index of each value.

    Args:
      sp_ids: int32 or int64 SparseTensor, or list of them, one per dimension that is added.
      sp_values: SparseTensor with the same number of values.
      vocab_size: int or integer scalar, size of the last dimension; a list if `sp_ids` is a list.
      name: optional name of the name scope.
      already_sorted: bool, whether the elements are in order; otherwise they are sorted.

    Returns:
      A SparseTensor.

    Raises:
      TypeError: if `sp_ids` or `vocab_size` has another type.
      ValueError: if their lengths differ.
    """
    return merge(sp_ids, sp_values, vocab_size, name, already_sorted)


def merge(sp_ids: Any, sp_values: Any, sizes: Any, name: str | None, already_sorted: bool) -> SparseTensor:
    """Implements `sparse_merge`."""
    if isinstance(sp_ids, (SparseTensor, SparseTensorValue)):
        if not isinstance(sizes, (Tensor, numbers.Integral)):
            raise TypeError(f"vocab_size has to be a Tensor or Python int. Found {type(sizes)}")
        sp_ids, sizes = [sp_ids], [sizes]
    else:
        if not isinstance(sp_ids, Iterable):
            raise TypeError(f"sp_ids has to be a SparseTensor or list thereof. Found {type(sp_ids)}")
        if not isinstance(sizes, Iterable):
            raise TypeError(f"vocab_size has to be a list of Tensors or Python ints. Found {type(sizes)}")
        for size in sizes:
            if not isinstance(size, (Tensor, numbers.Integral)):
                raise TypeError(f"vocab_size has to be a list of Tensors or Python ints. Found {type(size)}")
    if len(sp_ids) != len(sizes):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    with name_scope(name, "SparseMerge", [sp_ids, sp_values]):
        sp_ids = [converted(each) for each in sp_ids]
        sp_values = converted(sp_values)
        ids = []
        for each in sp_ids:
            values = each.values if each.dtype == dtypes.int64 else cast(each.values, dtypes.int64)
            ids.append(expand_dims(values, axis=1))
        sizes = [cast(size, dtypes.int64) for size in sizes]
        indices = concat([sp_ids[0].indices[:, :-1], *ids], 1)
        shape = concat([sp_ids[0].dense_shape[:-1], sizes], 0)
        result = SparseTensor(indices, sp_values.values, shape)
        if already_sorted:
            return result
        in_order = sparse_reorder(result)
        return SparseTensor(in_order.indices, in_order.values, shape)


tf_export("sparse").namespace("SparseTensors.")
