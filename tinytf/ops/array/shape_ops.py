"""Shapes, sizes and ranks of tensors, and ops that only change the shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.broadcasting import broadcast_shape
from tinytf.framework.constant_op import constant
from tinytf.framework.constant_value import constant_value_as_shape
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf.framework.name_scope import name_scope
from tinytf.framework.sparse_tensor import SparseTensor, SparseTensorValue
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape
from tinytf.ops.arguments import renamed

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
    """The shape of `input`: a vector of `out_type` (int32 or int64); a constant where the shape is known.

    `input` may be a SparseTensor. TypeError for other output types.
    """
    try:
        return shape_internal(input, name, out_type=out_type)
    except REPORTED:
        leave_to_user()
        raise


def shape_internal(input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32) -> Tensor:
    """As `shape`; without `optimize` never a constant."""
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
    """The shapes of several tensors of one type, as a list of vectors of `out_type`."""
    return gen_ops.shape_n(input, out_type=out_type, name=name)


@tf_export("size")
def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The number of elements of `input`: a scalar of `out_type`; a constant where the shape is known."""
    try:
        return size_internal(input, name, out_type=out_type)
    except REPORTED:
        leave_to_user()
        raise


def size_internal(input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32) -> Tensor:
    """As `size`; without `optimize` never a constant."""
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
    """The number of dimensions of `input`: an int32 scalar; a constant where it is known."""
    try:
        return rank_internal(input, name)
    except REPORTED:
        leave_to_user()
        raise


def rank_internal(input: Any, name: str | None = None, optimize: bool = True) -> Tensor:
    """As `rank`; without `optimize` never a constant."""
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
    """The elements of `tensor` in another shape, of which one dimension may be -1 (whatever is left).

    ValueError if the known numbers of elements differ.
    """
    try:
        return maybe_set_static_shape(gen_ops.reshape(tensor, shape, name=name), shape)
    except REPORTED:
        leave_to_user()
        raise


def maybe_set_static_shape(tensor: Tensor, shape: Any) -> Tensor:
    """Tells `tensor` what is known of the value of the shape tensor that it was made with."""
    if isinstance(shape, Tensor) and not tensor.shape.is_fully_defined():
        if shape.shape.ndims == 1:
            known = constant_value_as_shape(shape)
            if known.ndims is not None:
                tensor.set_shape(known)
    return tensor


@tf_export("expand_dims")
def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """`input` with a new dimension of size 1 at position `axis`, from -rank-1 to rank. `dim` is the old name.

    ValueError without an axis, with both names, or for an axis out of range.
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
    """`input` without its dimensions of size 1, or without those in `axis` (an int or a list of ints).

    `squeeze_dims` is the old name of `axis`. ValueError for both names, or for a dimension of another size.
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
    """The shape, as a vector, that tensors of two shapes (int32 or int64 vectors) have after broadcasting."""
    return gen_ops.broadcast_args(shape_x, shape_y)


@tf_export("broadcast_static_shape")
@called_by_users
def broadcast_static_shape(shape_x: TensorShape, shape_y: TensorShape) -> TensorShape:
    """The shape that tensors of two statically known shapes have after broadcasting.

    ValueError if they do not fit together.
    """
    return broadcast_shape(shape_x, shape_y)
