"""Shape assertions, and sums over several tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tinytf as tf
from tinytf.python.ops.confusion_matrix import remove_squeezable_dimensions as labels_before_predictions
from tinytf.python.util.deprecation import deprecated

__all__ = ["assert_scalar_int", "reduce_sum_n", "remove_squeezable_dimensions", "with_same_shape", "with_shape"]


@deprecated(
    None, "Use that of tensorflow.python.ops.confusion_matrix, which takes and returns labels before predictions."
)
def remove_squeezable_dimensions(predictions: Any, labels: Any, name: str | None = None) -> tuple[tf.Tensor, tf.Tensor]:
    """Removes the last dimension, of size 1, of the tensor whose rank is greater by one."""
    with tf.name_scope(name, "remove_squeezable_dimensions", [predictions, labels]) as scope:
        predictions, labels = tf.convert_to_tensor(predictions), tf.convert_to_tensor(labels)
        labels, predictions = labels_before_predictions(labels, predictions, name=scope)
        return predictions, labels


def reduce_sum_n(tensors: Sequence[tf.Tensor], name: str | None = None) -> tf.Tensor:
    """Returns the sum of all elements of all tensors, a scalar. Raises ValueError if the list is empty."""
    if not tensors:
        raise ValueError("No tensors provided.")
    with tf.name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = [tf.reduce_sum(tensor, name=f"{tensor.op.name}/sum") for tensor in tensors]
        return sums[0] if len(sums) == 1 else tf.add_n(sums, name=scope)


def assert_scalar_int(tensor: Any, name: str | None = None) -> tf.Tensor:
    """Returns the tensor if it is statically an integer scalar. Raises ValueError otherwise."""
    with tf.name_scope(name, "assert_scalar_int", [tensor]) as scope:
        tensor = tf.convert_to_tensor(tensor)
        if not tensor.dtype.base_dtype.is_integer:
            raise ValueError(f"Expected integer type for {tensor.name}, received type: {tensor.dtype}.")
        return tf.debugging.assert_scalar(tensor, name=scope)


def with_same_shape(expected_tensor: tf.Tensor, tensor: tf.Tensor) -> tf.Tensor:
    """Calls `with_shape` with the shape of another tensor, in the name scope of `tensor`."""
    with tf.name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        shape = expected_tensor.get_shape()
        known = shape.is_fully_defined()
        return with_shape(shape.as_list() if known else tf.shape(expected_tensor, name="expected_shape"), tensor)


def with_shape(expected_shape: Any, tensor: tf.Tensor) -> tf.Tensor:
    """Returns the tensor with a check of its shape: at construction if it is static, else in the step.

    If a scalar is expected, a tensor with one element, or of unknown size, is reshaped to a scalar.

    Args:
      expected_shape: list of ints, with -1 for any size, or int32 vector.
      tensor: a dense tensor.

    Returns:
      A tensor, which fails with InvalidArgumentError in the step if the shape differs.

    Raises:
      ValueError: if the static shape differs, or `expected_shape` is not a shape.
    """
    if isinstance(tensor, tf.SparseTensor):
        raise ValueError("SparseTensor not supported.")
    expected = _checked(expected_shape, tensor)
    actual = tensor.get_shape()
    known = not tf.is_tensor(expected)
    if actual.is_fully_defined() and known:
        if actual.is_compatible_with(expected):
            return tensor
        if len(expected) or not actual.is_compatible_with([1]):
            raise ValueError(f"Invalid shape for tensor {tensor.name}, expected {expected}, got {actual}.")
    with tf.name_scope(f"{tensor.op.name}/", values=[tensor]):
        if known and not len(expected):
            return tf.reshape(tensor, [])
        with tf.control_dependencies([_assert_shape(expected, tensor)]):
            result = tf.identity(tensor)
        if known:
            result.set_shape(expected)
        return result


def _checked(shape: Any, tensor: tf.Tensor) -> Any:
    """Returns a list as an int32 array, and other shapes unchanged. Raises ValueError for another rank or dtype."""
    if isinstance(shape, (list, tuple)):
        shape = np.asarray(shape, None if shape else np.int32)
        shape = shape.astype(np.int32) if shape.dtype == np.int64 else shape
    if isinstance(shape, np.ndarray):
        if shape.ndim > 1:
            raise ValueError(f"Invalid rank {shape.ndim} for shape {shape} expected of tensor {tensor.name}.")
        wrong = shape.dtype != np.int32
    else:
        wrong = tf.is_tensor(shape) and shape.dtype.base_dtype != tf.int32
    if wrong:
        raise ValueError(f"Invalid dtype {shape.dtype} for shape {shape} expected of tensor {tensor.name}.")
    return shape


def _assert_shape(expected: Any, tensor: tf.Tensor) -> tf.Operation:
    """Returns the operation that fails if the shape differs."""
    with tf.name_scope("assert_shape", values=[tensor]) as scope:
        actual = tf.shape(tensor, name="actual")
        if isinstance(expected, tf.TensorShape) and not expected.is_fully_defined():
            expected = [size or -1 for size in expected.as_list()]
        says = f"Wrong shape for {tensor.name} [expected] [actual]."
        return tf.Assert(_is_shape(expected, tensor, actual), [says, expected, actual], name=scope)


def _is_shape(expected: Any, tensor: tf.Tensor, actual: tf.Tensor) -> tf.Tensor:
    with tf.name_scope("is_shape", values=[tensor]) as scope:
        rank = tf.size(expected)
        with tf.name_scope("is_rank", values=[tensor]) as rank_scope:
            same_rank = tf.equal(tf.convert_to_tensor(rank, name="expected"), tf.rank(tensor, "actual"), rank_scope)
        with tf.name_scope("shape_tensor_equal", values=[expected, actual]) as equal_scope:
            same = tf.logical_or(tf.equal(expected, -1), tf.equal(expected, actual, "equal"), "exclude_partial_shape")
            same_sizes = tf.reduce_all(same, name=equal_scope)
        return tf.logical_and(same_rank, same_sizes, name=scope)
