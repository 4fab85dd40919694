"""Precision at a given recall, recall at a given precision, and both at many thresholds."""

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
    """Computes the precision at the greatest threshold with a recall of at least `target_recall`, a float in [0, 1].

    Other arguments, results and exceptions are as in `tf.metrics.sensitivity_at_specificity`.
    """
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
    """Computes the recall at the threshold whose precision is closest to `precision`, a float in [0, 1].

    With `strict_mode` it is the threshold with the smallest precision that is not below `precision`; the recall is 0 if
    there is none. Other arguments, results and exceptions are as in `tf.metrics.sensitivity_at_specificity`.
    """
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
    """Vectors with one element per threshold, of the predictions' dtype."""

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
    """Computes confusion counts, precision and recall at even thresholds in [0, 1].

    A prediction is positive if it is not below the threshold.

    Args:
      labels: bool tensor.
      predictions: float tensor of the same shape, with values in [0, 1].
      weights: tensor of weights of the elements, or None.
      num_thresholds: int; 201 if None.
      use_locking: bool, whether concurrent updates are serialized; True if None.
      name: string, name of the variable scope.

    Returns:
      A pair of the `PrecisionRecallData` and an operation that adds a batch. It fails with InvalidArgumentError if
      predictions are out of range.

    Raises:
      TypeError: if `labels` is not bool.
      ValueError: if shapes are incompatible.
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
