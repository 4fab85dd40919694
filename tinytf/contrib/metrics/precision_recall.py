"""Precision and recall at the thresholds where the other one is as wanted, and at many thresholds."""

from __future__ import annotations

from typing import Any, NamedTuple

import tinytf as tf
from tinytf.contrib.metrics.rates import counts_at_any_thresholds
from tinytf.python.ops import metrics_impl

_EPSILON = metrics_impl.EPSILON


def precision_at_recall(
    labels: Any,
    predictions: Any,
    target_recall: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The precision at the greatest threshold whose recall is not below `target_recall`, which is from 0 to 1; others and
    errors as of `tf.metrics.sensitivity_at_specificity`."""
    if tf.executing_eagerly():
        raise RuntimeError("tf.metrics.precision_at_recall is not supported when eager execution is enabled.")
    if target_recall < 0 or target_recall > 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")
    with tf.variable_scope(name, "precision_at_recall", (predictions, labels, weights)):
        thresholds = metrics_impl.even_thresholds(num_thresholds)
        values, updates = counts_at_any_thresholds(predictions, labels, thresholds, weights)

        def precision(counts: Any, name: str) -> Any:
            tp, fp = counts["tp"], counts["fp"]
            recalls = tf.div(tp, tp + counts["fn"] + _EPSILON)
            index = tf.reduce_sum(tf.cast(tf.greater_equal(recalls, target_recall), tf.int64)) - 1
            return tf.div(tp[index] + _EPSILON, tp[index] + fp[index] + _EPSILON, name)

        value, update = precision(values, "value"), precision(updates, "update_op")
        metrics_impl.collected(value, metrics_collections)
        return value, metrics_impl.collected(update, updates_collections)


def recall_at_precision(
    labels: Any,
    predictions: Any,
    precision: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
    strict_mode: bool = False,
) -> tuple[Any, Any]:
    """The recall at the threshold whose precision is closest to `precision`, which is from 0 to 1; with `strict_mode` at the
    one whose precision is least among those that are not below it, and 0 if there is none. Others and errors as of
    `tf.metrics.sensitivity_at_specificity`."""
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")
    with tf.variable_scope(name, "recall_at_precision", (predictions, labels, weights)):
        thresholds = metrics_impl.even_thresholds(num_thresholds)
        values, updates = counts_at_any_thresholds(predictions, labels, thresholds, weights)

        def recall(counts: Any, name: str) -> Any:
            tp, fn = counts["tp"], counts["fn"]
            precisions = tf.div(tp, tp + counts["fp"] + _EPSILON)
            if strict_mode:
                index = tf.argmax(tf.div(1.0, precisions - precision + _EPSILON), 0, output_type=tf.int32)
            else:
                index = tf.argmin(tf.abs(precisions - precision), 0, output_type=tf.int32)

            def found() -> Any:
                return tf.div(tp[index], tp[index] + fn[index] + _EPSILON, name)

            return tf.cond(precisions[index] >= precision, found, lambda: 0.0) if strict_mode else found()

        value, update = recall(values, "value"), recall(updates, "update_op")
        metrics_impl.collected(value, metrics_collections)
        return value, metrics_impl.collected(update, updates_collections)


class PrecisionRecallData(NamedTuple):
    """Vectors with an element for each threshold, of the predictions' type."""

    tp: Any
    fp: Any
    tn: Any
    fn: Any
    precision: Any
    recall: Any
    thresholds: Any


def precision_recall_at_equal_thresholds(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> tuple[PrecisionRecallData, Any]:
    """Counts, precision and recall at evenly spaced thresholds from 0 to 1; what is not below a threshold is positive there.

    Args:
      labels: a bool tensor.
      predictions: a float tensor of its shape, of numbers from 0 to 1.
      weights: None, or what each element counts.
      num_thresholds: 201 when None.
      use_locking: whether updates at a time wait for each other; None: they do.
      name: of the variable scope.

    Returns the values, and an operation that adds a batch. TypeError for labels that are not bool, ValueError for shapes
    that do not fit, InvalidArgumentError when it runs for predictions out of range.
    """
    number = 201 if num_thresholds is None else num_thresholds
    given = 1.0 if weights is None else weights
    locking = True if use_locking is None else use_locking
    tf.assert_type(labels, tf.bool)
    with tf.variable_scope(name, "precision_recall_at_equal_thresholds", (labels, predictions, given)):
        message = "predictions must be in [0, 1]"
        checks = [
            tf.assert_greater_equal(predictions, tf.cast(0.0, predictions.dtype), message=message),
            tf.assert_less_equal(predictions, tf.cast(1.0, predictions.dtype), message=message),
        ]
        with tf.control_dependencies(checks):
            predictions, labels, given = metrics_impl.fitted(predictions, labels, given)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        positive, given = tf.cast(labels, tf.float64), tf.cast(given, tf.float64)
        batch = [positive * given, (1.0 - positive) * given]
        predictions = tf.reshape(predictions, [-1])
        batch = [tf.reshape(each, [-1]) for each in batch]
        places = tf.cast(tf.floor(predictions * (number - 1)), tf.int32)
        with tf.name_scope("variables"):
            kept = [
                metrics_impl.metric_variable([number], tf.float64, name=which) for which in ("tp_buckets", "fp_buckets")
            ]
        with tf.name_scope("update_op"):
            updates = [
                tf.scatter_add(bins, places, more, use_locking=locking) for bins, more in zip(kept, batch, strict=True)
            ]
        tp, fp = (tf.cumsum(bins, reverse=True, name=which) for bins, which in zip(kept, ("tp", "fp"), strict=True))
        tn = fp[0] - fp
        fn = tp[0] - tp
        least = tf.convert_to_tensor(_EPSILON, dtype=tf.float64)
        precision = tp / tf.maximum(least, tp + fp)
        recall = tp / tf.maximum(least, tp + fn)
        found = [tf.cast(each, predictions.dtype) for each in (tp, fp, tn, fn, precision, recall)]
        found.append(tf.cast(tf.lin_space(0.0, 1.0, number), predictions.dtype))
        return PrecisionRecallData(*found), tf.group(*updates)
