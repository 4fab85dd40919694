"""Tensors whose elements all have the same value: zeros, ones and fill."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import REPORTED, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_dense_tensor_like
from tinytf._src.framework.values.tensor_shape import TensorShape
from tinytf._src.ops.array.shape_ops import maybe_set_static_shape, reshape, shape_internal

__all__ = ["fill", "ones", "ones_like", "zeros", "zeros_like"]

_LARGEST_CONSTANT = 1000  # In elements. Larger tensors are computed by an op, to keep graphs small.


@tf_export("fill")
def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """Creates a tensor filled with a scalar.

    Args:
      dims: int32 or int64 vector, shape of the result.
      value: scalar of any dtype.

    Returns:
      A tensor of shape `dims` and the dtype of `value`.
    """
    try:
        return maybe_set_static_shape(gen_ops.fill(dims, value, name=name), dims)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("zeros")
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Creates a tensor of zeros; bools are False and strings are empty. Small results are constants.

    Args:
      shape: list of ints, TensorShape, or int32 or int64 vector.
      dtype: dtype of the elements.

    Returns:
      A tensor of the given shape and dtype.
    """
    try:
        dtype = dtypes.as_dtype(dtype).base_dtype
        value = False if dtype is dtypes.bool else "" if dtype is dtypes.string else 0
        return _filled(shape, value, dtype, name, "zeros")
    except REPORTED:
        leave_to_user()
        raise


@tf_export("ones")
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Creates a tensor of ones; bools are True. Small results are constants.

    Args:
      shape: list of ints, TensorShape, or int32 or int64 vector.
      dtype: dtype of the elements.

    Returns:
      A tensor of the given shape and dtype.
    """
    try:
        dtype = dtypes.as_dtype(dtype).base_dtype
        return _filled(shape, True if dtype is dtypes.bool else 1, dtype, name, "ones")
    except REPORTED:
        leave_to_user()
        raise


def _filled(shape: Any, value: Any, dtype: Any, name: str | None, default_name: str) -> Tensor:
    with name_scope(name, default_name, [shape]) as scope:
        if not isinstance(shape, Tensor):
            small = _constant_if_small(value, shape, dtype, scope)
            if small is not None:
                return small
            try:
                # The detour by TensorShape yields int64 for dimensions that need it.
                shape = convert_to_tensor(TensorShape(shape))
            except (TypeError, ValueError):
                shape = convert_to_tensor(shape, dtype=dtypes.int32)
        if not shape._shape_tuple():
            shape = reshape(shape, [-1])
        return fill(shape, constant(value, dtype=dtype), name=scope)


def _constant_if_small(value: Any, shape: Any, dtype: Any, name: str) -> Tensor | None:
    if isinstance(shape, (int, np.integer)) or (isinstance(shape, TensorShape) and not shape.is_fully_defined()):
        return None
    sizes: Any = shape.as_list() if isinstance(shape, TensorShape) else shape
    try:
        sizes = [int(size) for size in sizes]
    except (TypeError, ValueError, NotImplementedError):  # Not all dimensions are plain numbers.
        # TensorFlow's check whether the product is small adds nodes, and the number of nodes affects the seeds of later
        # ops.
        if _is_computed(shape):
            _ = shape < _LARGEST_CONSTANT
        elif isinstance(shape, (list, tuple)) and any(_is_computed(size) for size in shape):
            _ = functools.reduce(operator.mul, shape) < _LARGEST_CONSTANT
        return None
    if math.prod(sizes) >= _LARGEST_CONSTANT or any(size < 0 for size in sizes):
        return None
    if dtype.is_quantized:  # A Python number has no quantized dtype.
        value = np.full(sizes, value, dtype.as_numpy_dtype)
    return constant(value, shape=sizes, dtype=dtype, name=name)


def _is_computed(size: Any) -> bool:
    """Returns whether a size is known only when the graph runs: a graph tensor or a variable."""
    return not executing_eagerly() and is_dense_tensor_like(size)


@tf_export("zeros_like")
def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Creates a tensor of zeros with the shape of another tensor.

    Args:
      tensor: tensor of any dtype.
      dtype: dtype of the result; defaults to that of `tensor`.
      optimize: bool, whether a statically known shape is embedded as a constant.
    """
    with name_scope(name, "zeros_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        own = tensor.dtype.base_dtype
        dtype = own if dtype is None else dtypes.as_dtype(dtype).base_dtype
        shape = tensor.shape
        if optimize and shape.is_fully_defined() and own is not dtypes.variant:
            tensor._rely_on_shape()
            return zeros(shape, dtype=dtype, name=scope)
        if dtype is not own and dtype is not dtypes.variant:
            return zeros(shape_internal(tensor, optimize=optimize), dtype=dtype, name=scope)
        return gen_ops.zeros_like(tensor, name=scope)


@tf_export("ones_like")
def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Creates a tensor of ones with the shape of another tensor.

    Args:
      tensor: tensor of a numeric dtype or bool.
      dtype: dtype of the result; defaults to that of `tensor`.
      optimize: bool, whether a statically known shape is embedded as a constant.
    """
    with name_scope(name, "ones_like", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name="tensor")
        result = ones(shape_internal(tensor, optimize=optimize), dtype=dtype or tensor.dtype, name=scope)
        result.set_shape(tensor.shape)
        return result
