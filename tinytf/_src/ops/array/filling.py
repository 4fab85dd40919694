"""Ops that create tensors from a shape: zeros, ones, identity matrices, one-hot vectors and masks."""

from __future__ import annotations

import functools
import math
import numbers
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
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import expand_dims, maybe_set_static_shape, reshape, shape_internal

__all__ = ["eye", "fill", "one_hot", "ones", "ones_like", "sequence_mask", "zeros", "zeros_like"]

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


@tf_export("linalg.eye", "eye")
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Creates an identity matrix or a batch of identity matrices.

    Args:
      num_rows: int or int32 scalar.
      num_columns: int or int32 scalar; defaults to `num_rows`.
      batch_shape: optional list of ints or int32 vector, the batch dimensions.
      dtype: dtype of the elements.

    Returns:
      A tensor of shape `batch_shape + [num_rows, num_columns]`.

    Raises:
      TypeError: if a size is neither an integer nor a tensor.
    """
    with name_scope(name, "eye", [num_rows, num_columns, batch_shape]):
        is_square = num_columns is None
        batch_shape = [] if batch_shape is None else batch_shape
        num_columns = num_rows if num_columns is None else num_columns
        matrix_shape: Any = None
        diagonal_size: Any
        if isinstance(num_rows, Tensor) or isinstance(num_columns, Tensor):
            diagonal_size = gen_ops.minimum(num_rows, num_columns)
        elif isinstance(num_rows, numbers.Integral) and isinstance(num_columns, numbers.Integral):
            diagonal_size = min(int(num_rows), int(num_columns))
            is_square = num_rows == num_columns
        else:
            raise TypeError("num_rows and num_columns must be positive integer values.")
        if isinstance(batch_shape, Tensor) or isinstance(diagonal_size, Tensor):
            batch_shape = convert_to_tensor(batch_shape, name="shape", dtype=dtypes.int32)
            diagonal_shape: Any = concat((batch_shape, [diagonal_size]), 0)
            if not is_square:
                matrix_shape = concat((batch_shape, [num_rows, num_columns]), 0)
        else:
            batch = [int(extent) for extent in batch_shape]
            diagonal_shape = [*batch, diagonal_size]
            matrix_shape = [*batch, num_rows, num_columns]
        diagonal = ones(diagonal_shape, dtype=dtype)
        if is_square:
            return gen_ops.matrix_diag(diagonal, name="diag")
        return gen_ops.matrix_set_diag(zeros(matrix_shape, dtype=dtype), diagonal, name="set_diag")


@tf_export("one_hot")
def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """Creates vectors with `on_value` at the given indices and `off_value` elsewhere.

    Args:
      indices: integer tensor.
      depth: int32 scalar, length of the vectors.
      on_value: optional scalar; defaults to 1.
      off_value: optional scalar; defaults to 0.
      axis: optional int, position of the new dimension; defaults to the last.
      dtype: dtype of the result; defaults to that of the values, else float32.

    Returns:
      A tensor of the rank of `indices` plus 1.

    Raises:
      TypeError: if the dtypes of `on_value`, `off_value` and `dtype` differ.
    """
    with name_scope(name, "one_hot", [indices, depth, on_value, off_value, axis, dtype]) as scope:
        on_exists, off_exists = on_value is not None, off_value is not None
        dtype = None if dtype is None else dtypes.as_dtype(dtype)
        on_dtype = convert_to_tensor(on_value, dtype_hint=dtype).dtype.base_dtype if on_exists else None
        off_dtype = convert_to_tensor(off_value, dtype_hint=dtype).dtype.base_dtype if off_exists else None
        if dtype is not None:
            for exists, found, what in ((on_exists, on_dtype, "on_value"), (off_exists, off_dtype, "off_value")):
                if exists and found is not dtype:
                    raise TypeError(f"dtype {found} of {what} does not match dtype parameter {dtype}")
        else:
            dtype = on_dtype or off_dtype or dtypes.float32
        if not on_exists:
            on_value, on_dtype = convert_to_tensor(1, dtype, name="on_value"), dtype
        if not off_exists:
            off_value, off_dtype = convert_to_tensor(0, dtype, name="off_value"), dtype
        if on_dtype is not off_dtype:
            raise TypeError(f"dtype {on_dtype} of on_value does not match dtype {off_dtype} of off_value")
        return gen_ops.one_hot(indices, depth, on_value, off_value, -1 if axis is None else axis, name=scope)


@tf_export("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool, name: str | None = None) -> Tensor:
    """Creates masks from lengths: `mask[..., j] = j < lengths[...]`.

    Args:
      lengths: integer tensor.
      maxlen: optional integer scalar, size of the last dimension; defaults to the largest length.
      dtype: dtype of the result.

    Returns:
      A tensor of shape `lengths.shape + [maxlen]`.

    Raises:
      ValueError: if `maxlen` is not a scalar.
    """
    with name_scope(name, "SequenceMask", [lengths, maxlen]):
        lengths = convert_to_tensor(lengths)
        if maxlen is None:
            ndims = lengths.shape.ndims
            axes = constant(np.arange(ndims), dtypes.int32) if ndims is not None else _all_axes(lengths)
            maxlen = gen_ops.max(lengths, axes)
            maxlen = gen_ops.maximum(constant(0, maxlen.dtype), maxlen)
        else:
            maxlen = convert_to_tensor(maxlen)
        if maxlen.shape.ndims not in (None, 0):
            raise ValueError("maxlen must be scalar for sequence_mask")
        row = gen_ops.range(constant(0, maxlen.dtype), maxlen, constant(1, maxlen.dtype))
        column = gen_ops.cast(expand_dims(lengths, -1), maxlen.dtype)
        mask = gen_ops.less(row, column)
        if dtype is None or mask.dtype.base_dtype is dtypes.as_dtype(dtype).base_dtype:
            return mask
        return gen_ops.cast(mask, dtype)


def _all_axes(tensor: Tensor) -> Tensor:
    return gen_ops.range(0, gen_ops.rank(tensor), 1)
