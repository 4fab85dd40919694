"""Shapes, sizes and ranks of tensors, and ops that change only the shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor, SparseTensorValue
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.broadcasting import broadcast_shape
from tinytf._src.framework.values.constant_value import constant_value_as_shape
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.arguments import renamed

__all__ = [
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "expand_dims",
    "rank",
    "reshape",
    "shape",
    "shape_n",
    "size",
    "squeeze",
]

_SPARSE = (SparseTensor, SparseTensorValue)


@tf_export("shape")
def shape(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """Returns the shape of a tensor; it is a constant if it is known statically.

    Args:
      input: tensor or SparseTensor.
      name: optional name of the operation.
      out_type: int32 or int64.

    Returns:
      A vector of `out_type`.
    """
    try:
        return shape_internal(input, name, out_type=out_type)
    except REPORTED:
        leave_to_user()
        raise


def shape_internal(input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32) -> Tensor:
    """Does the same as `shape`; without `optimize` the result is never a constant."""
    with name_scope(name, "Shape", [input]) as scope:
        if isinstance(input, _SPARSE):
            return gen_ops.cast(input.dense_shape, out_type)
        tensor = convert_to_tensor(input)
        known = tensor.shape
        if optimize and known.is_fully_defined():
            tensor._rely_on_shape()
            return constant(known.as_list(), out_type, name=scope)
        return gen_ops.shape(tensor, out_type=out_type, name=scope)


@tf_export("shape_n")
@called_by_users
def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Tensor]:
    """Returns the shapes of several tensors of one dtype.

    Args:
      input: list of tensors.
      out_type: int32 or int64.
      name: optional name of the operation.

    Returns:
      A list of vectors of `out_type`.
    """
    return gen_ops.shape_n(input, out_type=out_type, name=name)


@tf_export("size")
def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """Returns the number of elements of a tensor; it is a constant if it is known statically.

    Args:
      input: tensor or SparseTensor; for the latter, the size of its dense shape.
      name: optional name of the operation.
      out_type: int32 or int64.

    Returns:
      A scalar of `out_type`.
    """
    try:
        return size_internal(input, name, out_type=out_type)
    except REPORTED:
        leave_to_user()
        raise


def size_internal(input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32) -> Tensor:
    """Does the same as `size`; without `optimize` the result is never a constant."""
    with name_scope(name, "Size", [input]) as scope:
        if isinstance(input, _SPARSE):
            return gen_ops.prod(gen_ops.cast(input.dense_shape, out_type), 0, name=scope)
        tensor = convert_to_tensor(input)
        known = tensor.shape
        if optimize:
            if known.is_fully_defined():
                tensor._rely_on_shape()
                return constant(known.num_elements(), out_type, name=scope)
            if known.dims and any(d.value == 0 for d in known.dims):
                tensor._rely_on_shape()
                return constant(0, out_type, name=scope)
        return gen_ops.size(tensor, out_type=out_type, name=scope)


@tf_export("rank")
def rank(input: Any, name: str | None = None) -> Tensor:
    """Returns the number of dimensions of a tensor; it is a constant if it is known statically.

    Args:
      input: tensor or SparseTensor.
      name: optional name of the operation.

    Returns:
      An int32 scalar.
    """
    try:
        return rank_internal(input, name)
    except REPORTED:
        leave_to_user()
        raise


def rank_internal(input: Any, name: str | None = None, optimize: bool = True) -> Tensor:
    """Does the same as `rank`; without `optimize` the result is never a constant."""
    with name_scope(name, "Rank", [input]) as scope:
        if isinstance(input, _SPARSE):
            return gen_ops.size(input.dense_shape, name=scope)
        tensor = convert_to_tensor(input)
        known = tensor.shape.ndims
        if optimize and known is not None:
            tensor._rely_on_shape()
            return constant(known, dtypes.int32, name=scope)
        return gen_ops.rank(tensor, name=scope)


@tf_export("reshape")
def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """Returns the elements of a tensor in another shape.

    Args:
      tensor: tensor.
      shape: int32 or int64 vector; one dimension may be -1 and is inferred.
      name: optional name of the operation.

    Returns:
      A tensor of the given shape.
    """
    try:
        return maybe_set_static_shape(gen_ops.reshape(tensor, shape, name=name), shape)
    except REPORTED:
        leave_to_user()
        raise


def maybe_set_static_shape(tensor: Tensor, shape: Any) -> Tensor:
    """Refines the static shape of `tensor` from the known part of the shape tensor it was made with."""
    if isinstance(shape, Tensor) and not tensor.shape.is_fully_defined():
        if shape.shape.ndims == 1:
            known = constant_value_as_shape(shape)
            if known.ndims is not None:
                tensor.set_shape(known)
    return tensor


@tf_export("expand_dims")
def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """Inserts a dimension of size 1.

    Args:
      input: tensor.
      axis: int or integer scalar from -rank-1 to rank, position of the new dimension.
      name: optional name of the operation.
      dim: deprecated name of `axis`.

    Returns:
      A tensor of rank one higher.

    Raises:
      ValueError: if the axis is missing or given under both names.
    """
    try:
        axis = renamed("axis", axis, "dim", dim)
        if axis is None:
            raise ValueError("Must specify an axis argument to tf.expand_dims()")
        return gen_ops.expand_dims(input, axis, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("squeeze")
def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    """Removes dimensions of size 1.

    Args:
      input: tensor.
      axis: optional int or list of ints, the dimensions to remove; defaults to all of size 1.
      name: optional name of the operation.
      squeeze_dims: deprecated name of `axis`.

    Returns:
      A tensor with the same elements.

    Raises:
      ValueError: if the axis is given under both names.
      TypeError: if `axis` is neither a number nor a list.
    """
    try:
        axis = renamed("axis", axis, "squeeze_dims", squeeze_dims)
        if np.isscalar(axis):
            axis = [axis]
        elif axis is not None and not isinstance(axis, (list, tuple)):
            raise TypeError(f"Expected list for 'axis' argument to 'squeeze' Op, not {axis!r}.")
        return gen_ops.squeeze(input, axis, name=name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("broadcast_dynamic_shape")
@called_by_users
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """Returns the shape of the broadcast of two shapes, as an integer vector.

    Args:
      shape_x: int32 or int64 vector.
      shape_y: vector of the same dtype.

    Returns:
      A vector of that dtype.
    """
    return gen_ops.broadcast_args(shape_x, shape_y)


@tf_export("broadcast_static_shape")
@called_by_users
def broadcast_static_shape(shape_x: TensorShape, shape_y: TensorShape) -> TensorShape:
    """Returns the shape of the broadcast of two static shapes.

    Args:
      shape_x: TensorShape.
      shape_y: TensorShape.

    Returns:
      A TensorShape.

    Raises:
      ValueError: if the shapes cannot be broadcast.
    """
    return broadcast_shape(shape_x, shape_y)
