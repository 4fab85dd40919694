"""Operations on SparseTensors that are composed of other ops."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.tensor_shape import dimension_at_index
from tinytf._src.ops.array.constant_tensors import ones, ones_like, zeros
from tinytf._src.ops.array.gathering import gather, gather_nd, where_v2
from tinytf._src.ops.array.joining import concat, stack
from tinytf._src.ops.array.shape_ops import rank, shape
from tinytf._src.ops.array.transposition import transpose
from tinytf._src.ops.checks.check_ops import assert_equal, assert_less_equal
from tinytf._src.ops.control_flow.dependencies import with_dependencies
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_of
from tinytf._src.ops.math.reductions import reduce_max
from tinytf._src.ops.sparse.sparse_ops import sparse_reorder
from tinytf._src.ops.sparse.sparse_parts import converted


@tf_export("sparse.from_dense")
@called_by_users
def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """Converts a dense tensor to a SparseTensor of its nonzero elements.

    Args:
      tensor: numeric tensor.
      name: optional name of the name scope.

    Returns:
      A SparseTensor.
    """
    with name_scope(name, "dense_to_sparse"):
        tensor = convert_to_tensor(tensor)
        indices = where_v2(gen_ops.not_equal(tensor, constant(0, tensor.dtype)))
        values = gather_nd(tensor, indices)
        return SparseTensor(indices, values, shape(tensor, out_type=dtypes.int64))


@tf_export("sparse.expand_dims")
@called_by_users
def sparse_expand_dims(sp_input: Any, axis: Any = None, name: str | None = None) -> SparseTensor:
    """Inserts a dimension of size 1.

    Args:
      sp_input: SparseTensor.
      axis: optional int or int32 scalar, position of the new dimension; defaults to the last.
      name: optional name of the name scope.

    Returns:
      A SparseTensor of rank one higher.

    Raises:
      TypeError: if `axis` is neither an integer nor a tensor.
    """
    dims = sp_input.dense_shape.get_shape()[0]
    axis = -1 if axis is None else axis
    with name_scope(name, "expand_dims", [sp_input]):
        if isinstance(axis, numbers.Integral):
            axis = convert_to_tensor(axis, name="axis", dtype=dtypes.int32)
        elif not isinstance(axis, Tensor):
            raise TypeError("axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]")
        axis = where_v2(axis >= 0, axis, axis + dims + 1)
        new_index = zeros([shape(sp_input.indices)[0], 1], dtype=dtypes.int64)
        before = gen_ops.slice(sp_input.indices, [0, 0], [-1, axis])
        after = gen_ops.slice(sp_input.indices, [0, axis], [-1, -1])
        indices = concat([before, new_index, after], axis=1)
        sizes_before = gen_ops.slice(sp_input.dense_shape, [0], [axis])
        sizes_after = gen_ops.slice(sp_input.dense_shape, [axis], [-1])
        one = convert_to_tensor([1], name="new_shape", dtype=dtypes.int64)
        sizes = concat([sizes_before, one, sizes_after], axis=0)
        return SparseTensor(indices=indices, values=sp_input.values, dense_shape=sizes)


@tf_export("sparse.eye")
@called_by_users
def sparse_eye(
    num_rows: Any, num_columns: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> SparseTensor:
    """Creates a sparse matrix with ones on the diagonal.

    Args:
      num_rows: int or integer scalar.
      num_columns: optional int or integer scalar; defaults to `num_rows`.
      dtype: dtype of the values.
      name: optional name of the name scope.

    Returns:
      A SparseTensor [num_rows, num_columns].

    Raises:
      TypeError: if a size is neither an integer nor a tensor.
    """
    with name_scope(name, "eye", [num_rows, num_columns]):
        num_rows = _size(num_rows, "num_rows")
        num_columns = num_rows if num_columns is None else _size(num_columns, "num_columns")
        diagonal = gen_ops.minimum(num_rows, num_columns)
        places = range_of(diagonal, dtype=dtypes.int64)
        return SparseTensor(
            indices=stack([places, places], axis=1),
            values=ones(diagonal, dtype=dtype),
            dense_shape=[num_rows, num_columns],
        )


def _size(value: Any, name: str) -> Tensor:
    if isinstance(value, numbers.Integral):
        return convert_to_tensor(value, name=name, dtype=dtypes.int64)
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be an integer value")
    return value if value.dtype == dtypes.int64 else cast(value, dtypes.int64)


@tf_export("sparse.transpose", "sparse_transpose")
@called_by_users
def sparse_transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """Permutes the dimensions of a SparseTensor and sorts its indices.

    Args:
      sp_input: SparseTensor.
      perm: optional integer vector; reverses the dimensions if None.
      name: optional name of the name scope.

    Returns:
      A SparseTensor.
    """
    with name_scope(name, "SparseTranspose", [sp_input]):
        if perm is None:
            dims = rank(sp_input)
            perm = (dims - 1) - range_of(0, dims, 1)
        indices = transpose(gather(transpose(sp_input.indices), perm))
        known = constant_value(convert_to_tensor(perm))
        if known is not None and sp_input.get_shape().is_fully_defined():
            sizes: Any = sp_input.get_shape().as_list()
            sizes[: len(known)] = [sizes[p] for p in known]
        else:
            sizes = gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(indices, sp_input.values, sizes))


@tf_export("sparse.reset_shape", "sparse_reset_shape")
@called_by_users
def sparse_reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """Changes the dense shape of a SparseTensor to a larger one, or to the smallest one that contains its indices.

    Args:
      sp_input: SparseTensor.
      new_shape: optional integer vector, not less than the present shape; None means the smallest possible shape.

    Returns:
      A SparseTensor.

    Raises:
      ValueError: if a known `new_shape` is too small; otherwise InvalidArgumentError is raised at run time.
    """
    sp_input = converted(sp_input)
    indices = gen_ops.identity(sp_input.indices)
    values = gen_ops.identity(sp_input.values)
    old_shape = gen_ops.identity(sp_input.dense_shape)
    if new_shape is None:
        largest = reduce_max(indices, axis=0)
        needed = gen_ops.maximum(constant(0, dtype=dtypes.int64), gen_ops.add(largest, ones_like(old_shape)))
        return SparseTensor(indices, values, needed)
    new_shape = convert_to_tensor(new_shape)
    new_shape.shape.assert_has_rank(1)
    new_shape = cast(new_shape, dtypes.int64)
    dimension_at_index(new_shape.shape, 0).merge_with(dimension_at_index(old_shape.shape, 0))
    known = constant_value(new_shape)
    if known is None or not sp_input.get_shape().is_fully_defined():
        return SparseTensor(indices, values, _checked(old_shape, new_shape))
    old = np.array(sp_input.get_shape().as_list())
    if not np.all(old <= known):
        raise ValueError(
            "Requested new_shape should have dimension sizes >= sp_input.shape.  "
            f"Found new_shape ({old}), sp_input.shape ({known})."
        )
    return SparseTensor(indices, values, known)


def _checked(old_shape: Tensor, new_shape: Tensor) -> Tensor:
    check = assert_equal(shape(old_shape), shape(new_shape))
    new_shape = with_dependencies([check], new_shape)
    return with_dependencies([assert_less_equal(old_shape, new_shape)], new_shape)


@tf_export("sparse.mask", "sparse_mask")
@called_by_users
def sparse_mask(a: Any, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """Removes the slices with the given indices from IndexedSlices.

    Args:
      a: IndexedSlices.
      mask_indices: vector of the indices to remove.
      name: optional name of the operation.

    Returns:
      IndexedSlices.
    """
    with name_scope(name, "sparse_mask", [a, mask_indices]) as scope:
        kept, places = gen_ops.list_diff(a.indices, mask_indices)
        return IndexedSlices(gather(a.values, places, name=scope), kept, a.dense_shape)
