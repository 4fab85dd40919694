"""Ops that select elements by index, mask or condition."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import REPORTED, Leaving, called_by_users, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.numpy_compat import only_element
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.ops.array.constant_tensors import ones, zeros
from tinytf._src.ops.array.grids import meshgrid
from tinytf._src.ops.array.joining import concat, stack, unstack
from tinytf._src.ops.array.shape_ops import rank, reshape, shape, squeeze
from tinytf._src.ops.array.transposition import transpose

__all__ = [
    "batch_gather",
    "boolean_mask",
    "gather",
    "gather_nd",
    "setdiff1d",
    "unique",
    "unique_with_counts",
    "where",
    "where_v2",
]


@tf_export("gather")
def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    name: str | None = None,
    axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:
    """Gathers slices of a tensor along an axis.

    Args:
      params: tensor or variable; a resource variable is read sparsely along axis 0.
      indices: int32 or int64 tensor. An index out of range raises InvalidArgumentError at run time.
      validate_indices: ignored.
      name: optional name of the operation.
      axis: int or integer scalar, the indexed axis of `params`; defaults to `batch_dims`.
      batch_dims: int, number of leading dimensions that `params` and `indices` share as a batch.

    Returns:
      A tensor of shape `params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]`.
    """
    try:
        if axis is None:
            axis = batch_dims
        if batch_dims == 0 and constant_value(axis) == 0:
            sparse_read = getattr(params, "sparse_read", None)
            if sparse_read is not None:
                return sparse_read(indices, name=name)
        return gen_ops.gather_v2(params, indices, axis, batch_dims=batch_dims, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("manip.gather_nd", "gather_nd")
@called_by_users
def gather_nd(params: Any, indices: Any, name: str | None = None, batch_dims: int = 0) -> Tensor:
    """Gathers slices of a tensor by index vectors.

    Args:
      params: tensor or variable.
      indices: int32 or int64 tensor whose last dimension holds the index vectors.
      name: optional name of the operation.
      batch_dims: int, or constant tensor of one element: number of leading batch dimensions of both tensors.

    Returns:
      A tensor of shape `indices.shape[:-1] + params.shape[batch_dims + indices.shape[-1]:]`.

    Raises:
      ValueError: if `batch_dims` is negative or not less than a rank.
      TypeError: if `batch_dims` has no constant value.
    """
    known = constant_value(batch_dims)
    if known is None:
        raise TypeError(f"batch_dims must be an int; got {batch_dims!r}")
    batch_dims = int(only_element(known))
    if batch_dims == 0:
        read = getattr(params, "gather_nd", None)
        return gen_ops.gather_nd(params, indices, name=name) if read is None else read(indices, name=name)
    return _batch_gather_nd(params, indices, batch_dims, name)


def _batch_gather_nd(params: Any, indices: Any, batch_dims: int, name: str | None) -> Tensor:
    """Gathers by index vectors with the batch position prepended; the batch is flattened meanwhile."""
    with name_scope(name, "BatchGatherND", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if batch_dims < 0:
            raise ValueError("tf.gather_nd does not allow negative batch_dims.")
        for what, tensor in (("indices", indices), ("params", params)):
            if tensor.shape.ndims is not None and batch_dims >= tensor.shape.ndims:
                raise ValueError(f"batch_dims = {batch_dims} must be less than rank({what}) = {tensor.shape.ndims}")
        params_shape, indices_shape = shape(params), shape(indices)
        batch_shape = params_shape[:batch_dims]
        batch_size = gen_ops.prod(batch_shape, [0])
        inner_rank = rank(indices) - batch_dims - 1
        inner_shape = indices_shape[batch_dims:-1]
        counts = [gen_ops.cast(gen_ops.range(0, n, 1), indices.dtype) for n in unstack(batch_shape, axis=0)]
        columns = [reshape(grid, (-1,)) for grid in meshgrid(*counts, indexing="ij")]
        positions = transpose(stack(columns, axis=0))
        extents = shape(positions)
        wide = concat([extents[:1], ones(inner_rank, dtype=dtypes.int32), extents[1:]], axis=0)
        positions = gen_ops.tile(reshape(positions, wide), concat(((1,), inner_shape, (1,)), axis=0))
        flat = reshape(indices, concat(([batch_size], indices_shape[batch_dims:]), axis=0))
        result = gen_ops.gather_nd(params, concat((positions, flat), axis=-1))
        return reshape(result, concat((batch_shape, shape(result)[1:]), axis=0))


@tf_export("batch_gather")
def batch_gather(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """Gathers along the last dimension of the indices: `result[i1, …, in] = params[i1, …, indices[i1, …, in]]`.

    Args:
      params: tensor.
      indices: integer tensor whose batch dimensions equal the leading dimensions of `params`.
      name: optional name of the name scope.

    Returns:
      A tensor of shape `indices.shape + params.shape[indices.rank:]`.

    Raises:
      ValueError: if the rank of `indices` is unknown.
    """
    with name_scope(name, "BatchGather", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if indices.shape.ndims is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        return _flat_batch_gather(params, indices, indices.shape.ndims - 1)


def _flat_batch_gather(params: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    """Gathers with indices into `params` whose batch dimensions and gathered dimension are flattened into one."""
    if batch_dims < 0:
        raise ValueError(f"batch_dims = {batch_dims} must be less than rank(indices) = {batch_dims + 1}")
    ndims = params.shape.ndims
    if ndims is not None and batch_dims >= ndims:
        raise ValueError(f"batch_dims = {batch_dims} must be less than rank(params) = {ndims}")
    dtype = indices.dtype.base_dtype
    indices_shape, params_shape = shape(indices), shape(params)
    stride: Any = ones((), dtype=dtype)
    sizes = gen_ops.cast(params_shape, dtype)
    flat = indices
    for dimension in reversed(range(batch_dims)):
        size = sizes[dimension]
        stride *= sizes[dimension + 1]
        offsets = gen_ops.range(zeros((), dtype=dtype), size, ones((), dtype=dtype)) * stride
        flat += reshape(offsets, stack([1] * dimension + [size] + [1] * (batch_dims - dimension), axis=0))
    flat = reshape(flat, [-1])
    rest = params_shape[batch_dims + 1 :]
    rows = gen_ops.prod(params_shape[: batch_dims + 1], [0], False)
    result = gather(reshape(params, concat([[rows], rest], axis=0)), flat)
    result = reshape(result, concat([indices_shape, rest], axis=0))
    known = indices.shape[:batch_dims].merge_with(params.shape[:batch_dims])
    result.set_shape(known.concatenate(indices.shape[batch_dims:]).concatenate(params.shape[batch_dims + 1 :]))
    return result


@tf_export("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, name: str = "boolean_mask", axis: Any = None) -> Tensor:
    """Selects the elements of a tensor at which a mask is True.

    Args:
      tensor: tensor.
      mask: bool tensor of known rank K; its shape equals K dimensions of `tensor` from `axis` on.
      name: name of the name scope.
      axis: optional int or constant scalar; defaults to 0.

    Returns:
      A tensor in which the masked dimensions are replaced by one with the selected elements.

    Raises:
      ValueError: if the mask is a scalar, has unknown rank or does not match.
    """
    with name_scope(name, values=[tensor, mask]):
        tensor = convert_to_tensor(tensor, name="tensor")
        mask = convert_to_tensor(mask, name="mask")
        mask_shape, tensor_shape = mask.shape, tensor.shape
        ndims = mask_shape.ndims
        if ndims == 0:
            raise ValueError("mask cannot be scalar.")
        if ndims is None:
            raise ValueError(
                "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. shape=[None] is "
                "ok, but shape=None is not."
            )
        known_axis = 0 if axis is None else constant_value(axis)
        first = axis if known_axis is None else int(only_element(known_axis))
        masked = tensor_shape[first : first + ndims]
        masked.assert_is_compatible_with(mask_shape)
        count = gen_ops.prod(shape(tensor)[first : first + ndims], [0])
        flat_shape = concat([shape(tensor)[:first], [count], shape(tensor)[first + ndims :]], 0)
        tensor = reshape(tensor, flat_shape)
        before, after = as_shape(tensor_shape[:first]), tensor_shape[first + ndims :]
        tensor.set_shape(before.concatenate([masked.num_elements()]).concatenate(after))
        flat_mask = reshape(mask, [-1])
        indices = squeeze(where_v2(flat_mask), axis=[1])
        return gather(tensor, indices, axis=first)


@tf_export("where")
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Selects elements of `x` or `y` by a condition, or returns the indices of the True elements.

    Args:
      condition: bool tensor of the shape of `x` and `y`, or vector that selects rows.
      x: optional tensor, used where `condition` is True.
      y: optional tensor of the shape and dtype of `x`, used elsewhere.
      name: optional name of the operation.

    Returns:
      A tensor like `x`, or without `x` and `y` an int64 matrix [count, rank] of indices.

    Raises:
      ValueError: if only one of `x` and `y` is given.
    """
    if x is None and y is None:
        with name_scope(name, "Where", [condition]) as scope:
            condition = convert_to_tensor(condition, preferred_dtype=dtypes.bool, name="condition")
            return gen_ops.where(condition, name=scope)
    if x is None or y is None:
        with Leaving():
            raise ValueError("x and y must both be non-None or both be None.")
    return gen_ops.select(condition, x, y, name=name)


@tf_export("where_v2")
def where_v2(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Does the same as `where`, but broadcasts the three arguments against each other."""
    try:
        if x is None and y is None:
            return where(condition, name=name)
        if x is None or y is None:
            raise ValueError("x and y must both be non-None or both be None.")
        return gen_ops.select_v2(condition, x, y, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("unique")
@called_by_users
def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """Finds the distinct elements of a vector.

    Args:
      x: vector.
      out_idx: int32 or int64, dtype of the indices.
      name: optional name of the operation.

    Returns:
      A named tuple (y, idx): the distinct elements in order of first appearance, and indices with `x[i] = y[idx[i]]`.
    """
    return gen_ops.unique(x, out_idx=out_idx, name=name)


@tf_export("setdiff1d")
@called_by_users
def setdiff1d(x: Any, y: Any, index_dtype: Any = dtypes.int32, name: str | None = None) -> Any:
    """Finds the elements of the vector `x` that are not in the vector `y`.

    Args:
      x: vector.
      y: vector of the dtype of `x`.
      index_dtype: int32 or int64, dtype of the indices.
      name: optional name of the operation.

    Returns:
      A named tuple (out, idx): the elements in their order in `x`, and their indices in `x`.
    """
    return gen_ops.list_diff(x, y, out_idx=index_dtype, name=name)


@tf_export("unique_with_counts")
@called_by_users
def unique_with_counts(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """Does the same as `unique`, and also returns how often each distinct element occurs (`count`)."""
    return gen_ops.unique_with_counts(x, out_idx=out_idx, name=name)
