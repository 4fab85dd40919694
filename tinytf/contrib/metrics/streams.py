"""Counting and concatenation of streams, and Cohen's kappa."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.ops import metrics_impl, weights_broadcast_ops


def count(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Counts the values in a stream, or sums their weights.

    Arguments, results and exceptions are as in `tf.metrics.mean`.
    """
    if tf.executing_eagerly():
        raise RuntimeError("tf.contrib.metrics.count is not supported when eager execution is enabled.")
    with tf.variable_scope(name, "count", (values, weights)):
        total = metrics_impl.metric_variable([], tf.float32, name="count")
        if weights is None:
            seen = tf.cast(tf.size(values), tf.float32)
        else:
            values, _, weights = metrics_impl.fitted(tf.cast(values, tf.float32), None, weights)
            seen = tf.reduce_sum(weights_broadcast_ops.broadcast_weights(tf.cast(weights, tf.float32), values))
        with tf.control_dependencies([values]):
            update = tf.assign_add(total, seen)
        value = metrics_impl.collected(tf.identity(total), metrics_collections)
        return value, metrics_impl.collected(update, updates_collections)


def cohen_kappa(
    labels: Any,
    predictions_idx: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Computes Cohen's kappa, the agreement of labels and predictions corrected for chance agreement.

    It is 1 for full agreement and 0 for agreement by chance (Cohen, A Coefficient of Agreement for Nominal Scales,
    1960).

    Args:
      labels: integer tensor [n] or [n, 1], class indices.
      predictions_idx: integer tensor [n], class indices.
      num_classes: int, at least 2.
      weights: tensor [n], weight of each element, or None.
      metrics_collections: as in `tf.metrics.mean`.
      updates_collections: as in `tf.metrics.mean`.
      name: string, name of the variable scope.

    Returns:
      A pair of the value and the update, float64 scalars.

    Raises:
      ValueError: if `num_classes` is less than 2 or shapes are incompatible.
      RuntimeError: in eager execution.
    """
    if tf.executing_eagerly():
        raise RuntimeError("tf.contrib.metrics.cohen_kappa is not supported when eager execution is enabled.")
    if num_classes < 2:
        raise ValueError(f"`num_classes` must be >= 2.Found: {num_classes}")
    with tf.variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        labels.get_shape().with_rank_at_most(2)
        if labels.get_shape().ndims == 2:
            labels = tf.squeeze(labels, axis=[-1])
        predictions_idx, labels, weights = metrics_impl.fitted(predictions_idx, labels, weights)
        predictions_idx.shape.assert_is_compatible_with(labels.shape)
        dtype = tf.int64 if weights is None or weights.dtype.is_integer else tf.float32
        variables = [
            metrics_impl.metric_variable((num_classes,), dtype, name=each) for each in ("po", "pe_row", "pe_col")
        ]
        table = tf.confusion_matrix(
            labels, predictions_idx, num_classes=num_classes, weights=weights, dtype=dtype, name="counts_in_table"
        )
        batch = [tf.diag_part(table), tf.reduce_sum(table, axis=0), tf.reduce_sum(table, axis=1)]
        updates = [tf.assign_add(variable, more) for variable, more in zip(variables, batch, strict=True)]
        value, update = _kappa(variables, "value"), _kappa(updates, "update_op")
        metrics_impl.collected(value, metrics_collections)
        return value, metrics_impl.collected(update, updates_collections)


def _kappa(counts: list[Any], name: str) -> Any:
    agreed, rows, columns = counts
    agreed = tf.reduce_sum(agreed)
    total = tf.reduce_sum(rows)
    by_chance = tf.reduce_sum(tf.div_no_nan(tf.cast(rows * columns, tf.float64), tf.cast(total, tf.float64)))
    agreed, by_chance, total = (tf.cast(each, tf.float64) for each in (agreed, by_chance, total))
    return tf.div_no_nan(agreed - by_chance, total - by_chance, name=name)


def streaming_concat(
    values: Any,
    axis: int = 0,
    max_size: int | None = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Concatenates the batches of a stream along an axis.

    Args:
      values: tensor; all dimensions except `axis` must be static.
      axis: int, counted from the end if negative.
      max_size: int, maximum size along the axis, beyond which values are dropped; unlimited if None.
      metrics_collections: as in `tf.metrics.mean`.
      updates_collections: as in `tf.metrics.mean`.
      name: string, name of the variable scope.

    Returns:
      A pair of the concatenated values and an operation that appends a batch and yields the new size.

    Raises:
      ValueError: if a shape is unknown or the axis is out of range.
    """
    with tf.variable_scope(name, "streaming_concat", (values,)):
        axis, fixed = _checked(values, axis)
        rank = len(fixed) + 1
        array = metrics_impl.metric_variable(
            [0 if max_size is None else max_size, *fixed], values.dtype, validate_shape=False, name="array"
        )
        size = metrics_impl.metric_variable([], tf.int32, name="size")
        valid = array[:size]
        valid.set_shape([None, *fixed])
        back = [0 if n == axis else n + 1 if n < axis else n for n in range(rank)]
        value = tf.transpose(valid, back, name="concat")
        batch_size = tf.shape(values)[axis]
        if max_size is not None:
            batch_size = tf.minimum(batch_size, max_size - size)
        batch = tf.transpose(values, [axis, *(n for n in range(rank) if n != axis)])[:batch_size]
        update = _appended(array, size, batch, batch_size, fixed)
        metrics_impl.collected(value, metrics_collections)
        return value, metrics_impl.collected(update, updates_collections)


def _checked(values: Any, axis: int) -> tuple[int, list[int]]:
    """Returns the non-negative axis and the sizes of the other dimensions."""
    shape = values.get_shape()
    if shape.dims is None:
        raise ValueError("`values` must have known statically known rank")
    rank = len(shape)
    if axis < 0:
        axis += rank
    if not 0 <= axis < rank:
        raise ValueError(f"axis = {axis!r} not in [0, {rank!r})")
    fixed = [size for n, size in enumerate(shape.as_list()) if n != axis]
    if None in fixed:
        raise ValueError(
            "all dimensions of `values` other than the dimension to concatenate along must have statically known size"
        )
    return axis, fixed


def _appended(array: Any, size: Any, batch: Any, batch_size: Any, fixed: list[int]) -> Any:
    """Returns the update, which enlarges the array to the next power of 1.5 if the batch does not fit."""

    def grow() -> Any:
        new_array = tf.zeros(tf.stack([_room_for(new_size), *fixed]), dtype=batch.dtype)
        old_array = array.value()
        with tf.control_dependencies([old_array]):
            assigned = tf.assign(array, new_array, validate_shape=False)
        with tf.control_dependencies([assigned]):
            copied = array[:size].assign(old_array[:size])
        with tf.control_dependencies([copied]):
            return tf.no_op()

    new_size = size + batch_size
    room = tf.raw_ops.Shape(input=array)[0]
    grown = tf.cond(new_size > room, grow, tf.no_op)
    with tf.control_dependencies([grown]):
        appended = array[size:new_size].assign(batch)
    with tf.control_dependencies([appended]):
        return size.assign(new_size)


def _room_for(size: Any, factor: float = 1.5) -> Any:
    exponent = tf.ceil(tf.log(tf.cast(size, tf.float32)) / tf.log(tf.cast(factor, tf.float32)))
    return tf.cast(tf.ceil(factor**exponent), tf.int32)
