"""Tensors that have a certain shape, and sums of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tinytf as tf
from tinytf.python.ops.confusion_matrix import remove_squeezable_dimensions as labels_before_predictions
from tinytf.python.util.deprecation import deprecated

__all__ = ["assert_scalar_int", "reduce_sum_n", "remove_squeezable_dimensions", "with_same_shape", "with_shape"]


@deprecated(None, "Use that of tf.confusion_matrix, which takes and returns labels before predictions.")
def remove_squeezable_dimensions(predictions: Any, labels: Any, name: str | None = None) -> tuple[tf.Tensor, tf.Tensor]:
    """Predictions and labels, of which the one that has a dimension more loses the last, if that has size 1."""
    with tf.name_scope(name, "remove_squeezable_dimensions", [predictions, labels]) as scope:
        predictions, labels = tf.convert_to_tensor(predictions), tf.convert_to_tensor(labels)
        labels, predictions = labels_before_predictions(labels, predictions, name=scope)
        return predictions, labels


def reduce_sum_n(tensors: Sequence[tf.Tensor], name: str | None = None) -> tf.Tensor:
    """The sum of all elements of all tensors, a scalar. ValueError if there are none."""
    if not tensors:
        raise ValueError("No tensors provided.")
    with tf.name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = [tf.reduce_sum(tensor, name=f"{tensor.op.name}/sum") for tensor in tensors]
        return sums[0] if len(sums) == 1 else tf.add_n(sums, name=scope)


def assert_scalar_int(tensor: Any, name: str | None = None) -> tf.Tensor:
    """The tensor, which is known to be an integer scalar. ValueError for other types and shapes."""
    with tf.name_scope(name, "assert_scalar_int", [tensor]) as scope:
        tensor = tf.convert_to_tensor(tensor)
        if not tensor.dtype.base_dtype.is_integer:
            raise ValueError(f"Expected integer type for {tensor.name}, received type: {tensor.dtype}.")
        return tf.debugging.assert_scalar(tensor, name=scope)


def with_same_shape(expected_tensor: tf.Tensor, tensor: tf.Tensor) -> tf.Tensor:
    """`with_shape` of another tensor's shape, in the scope of `tensor`."""
    with tf.name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        shape = expected_tensor.get_shape()
        known = shape.is_fully_defined()
        return with_shape(shape.as_list() if known else tf.shape(expected_tensor, name="expected_shape"), tensor)


def with_shape(expected_shape: Any, tensor: tf.Tensor) -> tf.Tensor:
    """The tensor, whose shape is checked: at once if both shapes are known, else in the step, by InvalidArgumentError.

    A tensor that has, or may have, one element becomes a scalar where a scalar is expected.

    Args:
      expected_shape: numbers, -1 for any, or an int32 vector.
      tensor: no SparseTensor.

    ValueError for a shape that does not fit, and for what is no shape.
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
    """A shape that was given: an int32 array for a list, a tensor or what else it is as it is."""
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
    """The operation that fails where the shape differs."""
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
