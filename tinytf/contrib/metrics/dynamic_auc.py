"""Exact areas under curves, with every observed prediction as a threshold."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import tinytf as tf
from tinytf.contrib.metrics.streams import streaming_concat
from tinytf.python.ops import metrics_impl


def checked_labels(labels: Any) -> AbstractContextManager[Any]:
    """Context manager whose operations fail with InvalidArgumentError unless all int64 labels are 0 or 1."""
    checks = [
        tf.assert_greater_equal(
            labels, tf.zeros_like(labels, tf.int64), message="labels must be 0 or 1, at least one is <0"
        ),
        tf.assert_less_equal(
            labels, tf.ones_like(labels, tf.int64), message="labels must be 0 or 1, at least one is >1"
        ),
    ]
    return tf.control_dependencies(checks)


def streaming_dynamic_auc(
    labels: Any,
    predictions: Any,
    curve: str = "ROC",
    metrics_collections: Any = (),
    updates_collections: Any = (),
    name: str | None = None,
    weights: Any = None,
) -> tuple[Any, Any]:
    """Computes the exact area under a curve from all labels and predictions of the stream, which are stored.

    Args:
      labels: tensor of zeros and ones.
      predictions: tensor of the same shape; each value is a threshold.
      curve: "ROC", true positive rate over false positive rate, or "PR", precision over recall.
      metrics_collections: as in `tf.metrics.mean`.
      updates_collections: as in `tf.metrics.mean`.
      name: string, name of the variable scope.
      weights: tensor of weights of the elements, or None.

    Returns:
      A pair of the area, a float64 scalar, 0 if all labels are equal, and an operation that adds a batch. It fails with
      InvalidArgumentError if labels are not 0 or 1.

    Raises:
      ValueError: for another `curve` or incompatible shapes.
    """
    if curve not in ("PR", "ROC"):
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    with tf.variable_scope(name, "dynamic_auc"):
        labels.get_shape().assert_is_compatible_with(predictions.get_shape())
        predictions = tf.reshape(tf.cast(predictions, tf.float64), [-1])
        labels = tf.reshape(tf.cast(labels, tf.int64), [-1])
        with checked_labels(labels):
            all_predictions, update_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, update_labels = streaming_concat(labels, name="concat_labels")
            all_weights, updates = None, [update_labels, update_predictions]
            if weights is not None:
                weights = tf.reshape(tf.cast(weights, tf.float64), [-1])
                all_weights, update_weights = streaming_concat(weights, name="concat_weights")
                updates.append(update_weights)
            update = tf.group(*updates)
            value = _area(all_labels, all_predictions, all_weights, curve)
            metrics_impl.collected(update, updates_collections)
            return metrics_impl.collected(value, metrics_collections), update


def _area(labels: Any, predictions: Any, weights: Any, curve: str) -> Any:
    size = tf.size(predictions)
    if weights is None:
        weights = tf.ones_like(labels, dtype=tf.float64)
    labels, predictions, weights = metrics_impl.fitted(labels, predictions, weights)
    total = tf.reduce_sum(weights)
    positive = tf.reduce_sum(tf.where(tf.greater(labels, 0), weights, tf.zeros_like(labels, dtype=tf.float64)))

    def area() -> Any:
        ordered, order = tf.nn.top_k(predictions, k=size)
        ordered_labels, ordered_weights = tf.gather(labels, order), tf.gather(weights, order)
        counts = tf.unique_with_counts(ordered)[2]
        splits = tf.cast(_up_to(counts), tf.int32)  # equal predictions are on the same side of a threshold

        def weight_of(is_one: Any) -> Any:
            chosen = tf.where(is_one, ordered_weights, tf.zeros_like(ordered_labels, dtype=tf.float64))
            return tf.gather(_up_to(chosen), splits)

        true_positives = weight_of(tf.greater(ordered_labels, 0))
        if curve == "ROC":
            false_positives = weight_of(tf.less(ordered_labels, 1))
            x = tf.truediv(false_positives, total - positive)
            y = tf.truediv(true_positives, positive)
        else:
            x = tf.truediv(true_positives, positive)
            positives = tf.gather(_up_to(ordered_weights), splits)
            precision = tf.greater(splits, 0), tf.truediv(true_positives, positives)
            y = tf.where(*precision, tf.ones_like(true_positives, dtype=tf.float64))
        heights = tf.add(y[1:], y[:-1]) / 2.0
        widths = tf.abs(tf.subtract(x[1:], x[:-1]))
        return tf.reduce_sum(tf.multiply(heights, widths))

    is_trivial = tf.logical_or(tf.equal(positive, 0), tf.equal(positive, total))
    return tf.cond(is_trivial, true_fn=lambda: tf.constant(0, tf.float64), false_fn=area)


def _up_to(values: Any) -> Any:
    """Returns the prefix sums, starting with 0."""
    return tf.pad(tf.cumsum(values), paddings=[[1, 0]])
