"""Accuracy of a batch, and the best F1 score over thresholds of a stream."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.ops import metrics_impl


def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """Which part of the predictions is equal to the labels: a float32 scalar.

    Args:
      predictions, labels: tensors of one shape and one type, integers, bools or texts.
      weights: None, or floats of that shape.
      name: of the name scope.

    ValueError for other types.
    """
    if not (labels.dtype.is_integer or labels.dtype in (tf.bool, tf.string)):
        raise ValueError(f"Labels should have bool, integer, or string dtype, not {labels.dtype!r}")
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError(
            "Dtypes of predictions and labels should match. "
            f"Given: predictions ({predictions.dtype!r}) and labels ({labels.dtype!r})"
        )
    with tf.name_scope(name, "accuracy", [predictions, labels]):
        correct = tf.cast(tf.equal(predictions, labels), tf.float32)
        if weights is None:
            return tf.reduce_mean(correct)
        correct = tf.multiply(correct, weights)
        seen = tf.multiply(weights, tf.ones_like(correct))
        return tf.div(tf.reduce_sum(correct), tf.reduce_sum(seen))


def f1_score(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The largest harmonic mean of precision and recall at any of so many thresholds; else as
    `tf.metrics.precision_at_thresholds`, but for two scalars."""
    with tf.variable_scope(name, "f1", (labels, predictions, weights)):
        predictions, labels, weights = metrics_impl.fitted(predictions, labels, weights)
        thresholds = metrics_impl.even_thresholds(num_thresholds)
        values, updates = metrics_impl.counts_at_thresholds(
            labels, predictions, thresholds, weights, includes=("tp", "fp", "fn")
        )

        def best(counts: Any, which: str) -> Any:
            epsilon = metrics_impl.EPSILON
            precision = tf.div(counts["tp"], epsilon + counts["tp"] + counts["fp"], name=f"precision_{which}")
            recall = tf.div(counts["tp"], epsilon + counts["tp"] + counts["fn"], name=f"recall_{which}")
            return tf.reduce_max(2.0 * precision * recall / (precision + recall + epsilon))

        value = metrics_impl.collected(best(values, "value"), metrics_collections)
        return value, metrics_impl.collected(best(updates, "update"), updates_collections)
