"""Accuracy of a batch, and the best F1 score of a stream over thresholds."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.ops import metrics_impl


def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """Returns the fraction of predictions that equal the labels.

    Args:
      predictions: integer, bool or string tensor.
      labels: tensor of the same shape and dtype.
      weights: float tensor of that shape, or None.
      name: string, name of the name scope.

    Returns:
      A float32 scalar.

    Raises:
      ValueError: if the dtypes differ or are not supported.
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
    """Computes the maximum over thresholds of the F1 score, the harmonic mean of precision and recall.

    There are `num_thresholds` even thresholds; the other arguments and the exceptions are as in
    `tf.metrics.precision_at_thresholds`. Returns the value and the update, scalars.
    """
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
