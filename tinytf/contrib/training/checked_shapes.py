"""Shape checks: static ones raise ValueError at construction, the others InvalidArgumentError in the step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tinytf as tf


def with_multiple(value: tf.Tensor, multiple_of: int) -> tf.Tensor:
    """Returns an int32 scalar with an assertion that it is a nonzero multiple of `multiple_of`."""
    fits = tf.logical_and(tf.equal(tf.mod(value, multiple_of), 0), tf.not_equal(value, 0))
    check = assert_multiple(fits, f"Tensor {value.name} should be a multiple of: ", value, multiple_of)
    with tf.control_dependencies([check]):
        return tf.identity(value, name="multiple_of_checked")


def assert_multiple(fits: tf.Tensor, text: str, value: tf.Tensor, multiple_of: int) -> tf.Operation:
    """Returns an operation that fails unless `fits`; its message has both numbers."""
    numbers = tf.as_string(multiple_of), tf.as_string(value)
    return tf.Assert(
        fits, [tf.string_join([text, numbers[0], ", but saw value: ", numbers[1], ". Consider setting pad=True."])]
    )


def with_rank(value: tf.Tensor, expected: Any) -> tf.Tensor:
    """Returns a tensor with an assertion that its rank is `expected`, an int or int32 scalar.

    Raises ValueError if the static rank differs.
    """
    fits = tf.equal(expected, tf.rank(value))
    text = tf.string_join([f"Rank of tensor {value.name} should be: ", tf.as_string(expected), ", shape received:"])
    with tf.control_dependencies([tf.Assert(fits, [text, tf.shape(value)])]):
        result = tf.identity(value, name="rank_checked")
    rank = tf.get_static_value(expected) if isinstance(expected, tf.Tensor) else expected
    if rank is not None:
        try:
            result.set_shape(result.get_shape().with_rank(int(rank)))
        except ValueError as error:
            raise ValueError(f"Rank check failed for {value.name}: {error}") from None
    return result


def with_shape(value: tf.Tensor, expected: tf.Tensor) -> tf.Tensor:
    """Returns a tensor with an assertion that its shape is `expected`, an int32 vector.

    Raises ValueError if the static shape differs.
    """
    known = tf.get_static_value(expected)
    shape: Any = expected if known is None else known.tolist()
    value = with_rank(value, tf.size(expected) if known is None else len(shape))
    fits = tf.reduce_all(tf.equal(shape, tf.shape(value)))
    text = tf.string_join(
        [
            f"Shape of tensor {value.name} should be: ",
            tf.as_string(shape),
            ", shape received: ",
            tf.as_string(tf.shape(value)),
        ]
    )
    with tf.control_dependencies([tf.Assert(fits, [text])]):
        result = tf.identity(value, name="shape_checked")
    if known is not None:
        try:
            result.set_shape(result.get_shape().merge_with(shape))
        except ValueError as error:
            raise ValueError(f"Shape check failed for {value.name}: {error}") from None
    return result


def with_sizes(value: tf.Tensor, sizes: Sequence[Any], label: str) -> tf.Tensor:
    """Returns a tensor with an assertion that its first dimensions are `sizes`, ints or int32 scalars.

    Raises ValueError if a static dimension differs.
    """
    shape = value.get_shape()
    if shape.ndims is not None:
        if shape.ndims < len(sizes):
            raise ValueError(
                f"{label}: rank of input is not greater than max(dimensions): {shape.ndims} vs. {len(sizes) - 1}"
            )
        known = [None if isinstance(size, tf.Tensor) else size for size in sizes]
        try:
            value.set_shape(shape.merge_with(known + shape.as_list()[len(sizes) :]))
        except ValueError as error:
            raise ValueError(f"Dimensions check failed for {label}: {error}") from None
    checks = [_assert_size(value, dimension, size, label) for dimension, size in enumerate(sizes)]
    with tf.control_dependencies(checks):
        return tf.identity(value, name=f"dims_checked_{label}")


def _assert_size(value: tf.Tensor, dimension: int, size: Any, label: str) -> tf.Operation:
    fits = tf.equal(size, tf.shape(value)[dimension])
    text = tf.string_join(
        [
            f"Dimension {dimension} of tensor labeled {label} should be: ",
            tf.as_string(size),
            ", shape received: ",
            tf.as_string(tf.shape(value)),
        ]
    )
    return tf.Assert(fits, [text])
