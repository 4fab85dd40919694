"""False positive and false negative rates, and confusion counts at thresholds of unrestricted predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tinytf as tf
from tinytf.python.ops import metrics_impl


def _rate(
    what: str, right: Any, wrong: Any, given: tuple[Any, Any, Any], collections: tuple[Any, Any], name: str | None
) -> tuple[Any, Any]:
    """Returns wrong / (wrong + right), 0 if there were no elements."""
    predictions, labels, weights = given
    with tf.variable_scope(name, what, given):
        predictions, labels, weights = metrics_impl.fitted(
            tf.cast(predictions, tf.bool), tf.cast(labels, tf.bool), weights
        )
        wrongs = wrong(labels, predictions, weights)
        rights = right(labels, predictions, weights)

        def rate(i: int, which: str) -> Any:
            x, y = wrongs[i], rights[i]
            return tf.where(tf.greater(x + y, 0), tf.div(x, x + y), 0, which)

        value, update = rate(0, "value"), rate(1, "update_op")
        metrics_impl.collected(value, collections[0])
        return value, metrics_impl.collected(update, collections[1])


def streaming_false_positive_rate(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Computes the fraction of negative labels that were predicted positive.

    Arguments and results are as in `tf.metrics.precision`, with predictions before labels.
    """
    given, collections = (predictions, labels, weights), (metrics_collections, updates_collections)
    measures = tf.metrics.true_negatives, tf.metrics.false_positives
    return _rate("false_positive_rate", *measures, given, collections, name)


def streaming_false_negative_rate(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Computes the fraction of positive labels that were predicted negative.

    Arguments and results are as in `tf.metrics.precision`, with predictions before labels.
    """
    given, collections = (predictions, labels, weights), (metrics_collections, updates_collections)
    measures = tf.metrics.true_positives, tf.metrics.false_negatives
    return _rate("false_negative_rate", *measures, given, collections, name)


def counts_at_any_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any, includes: Any = ("tp", "fn", "tn", "fp")
) -> tuple[Any, Any]:
    """Returns the variables with the confusion counts at each threshold, by the keys in `includes`, and
    their updates."""
    predictions, labels, weights = metrics_impl.fitted(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return metrics_impl.counts_of(labels, predictions, thresholds, weights, includes)


def _count(key: str, predictions: Any, labels: Any, thresholds: Any, weights: Any) -> tuple[Any, Any]:
    values, updates = counts_at_any_thresholds(predictions, labels, thresholds, weights, (key,))
    return values[key], updates[key]


def streaming_true_positives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None
) -> tuple[Any, Any]:
    """Counts true positives at each threshold; predictions may be any numbers.

    Returns a variable with the counts and its update.
    """
    return _count("tp", predictions, labels, thresholds, weights)


def streaming_true_negatives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None
) -> tuple[Any, Any]:
    """Counts true negatives, like `streaming_true_positives_at_thresholds`."""
    return _count("tn", predictions, labels, thresholds, weights)


def streaming_false_positives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None
) -> tuple[Any, Any]:
    """Counts false positives, like `streaming_true_positives_at_thresholds`."""
    return _count("fp", predictions, labels, thresholds, weights)


def streaming_false_negatives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None
) -> tuple[Any, Any]:
    """Counts false negatives, like `streaming_true_positives_at_thresholds`."""
    return _count("fn", predictions, labels, thresholds, weights)


def _rate_at_thresholds(
    what: str,
    keys: tuple[str, str],
    given: tuple[Any, Any, Any, Any],
    collections: tuple[Any, Any],
    name: str | None,
) -> tuple[Any, Any]:
    predictions, labels, thresholds, weights = given
    wrong, right = keys
    with tf.variable_scope(name, f"{what}_rate_at_thresholds", (predictions, labels, weights)):
        values, updates = counts_at_any_thresholds(predictions, labels, thresholds, weights, keys)

        def rate(counts: Any, which: str) -> Any:
            initials = "".join(word[0] for word in f"{what}_rate".split("_"))
            total = metrics_impl.EPSILON + counts[wrong] + counts[right]
            return tf.div(counts[wrong], total, name=f"{initials}_{which}")

        value, update = rate(values, "value"), rate(updates, "update_op")
        metrics_impl.collected(value, collections[0])
        return value, metrics_impl.collected(update, collections[1])


def streaming_false_positive_rate_at_thresholds(
    predictions: Any,
    labels: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Computes the fraction of negative labels that are predicted positive at each threshold; predictions may be any
    numbers."""
    given, collections = (predictions, labels, thresholds, weights), (metrics_collections, updates_collections)
    return _rate_at_thresholds("false_positive", ("fp", "tn"), given, collections, name)


def streaming_false_negative_rate_at_thresholds(
    predictions: Any,
    labels: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Computes the fraction of positive labels that are predicted negative at each threshold; predictions may be any
    numbers."""
    given, collections = (predictions, labels, thresholds, weights), (metrics_collections, updates_collections)
    return _rate_at_thresholds("false_negative", ("fn", "tp"), given, collections, name)


def streaming_curve_points(
    labels: Any = None,
    predictions: Any = None,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
) -> tuple[Any, Any]:
    """Computes the points of the curve whose area is `tf.metrics.auc`.

    Args:
      labels: as in `tf.metrics.auc`.
      predictions: as in `tf.metrics.auc`.
      weights: as in `tf.metrics.auc`.
      num_thresholds: int, number of points.
      metrics_collections: as in `tf.metrics.auc`.
      updates_collections: as in `tf.metrics.auc`.
      curve: "ROC" or "PR".
      name: string, name of the variable scope.

    Returns:
      A pair of the points, float32 [num_thresholds, 2], and an operation that adds a batch.

    Raises:
      ValueError: for another `curve`.
    """
    with tf.variable_scope(name, "curve_points", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        thresholds = metrics_impl.even_thresholds(num_thresholds)
        values, updates = counts_at_any_thresholds(predictions, labels, thresholds, weights, ("tp", "fn", "tn", "fp"))
        points = tf.stack(list(_points(curve, **values)), axis=1)
        update = tf.group(*updates.values())
        metrics_impl.collected(points, metrics_collections)
        return points, metrics_impl.collected(update, updates_collections)


def _points(curve: str, tp: Any, fn: Any, tn: Any, fp: Any) -> tuple[Any, Any]:
    epsilon = 1.0e-6
    recall = tf.div(tp + epsilon, tp + fn + epsilon)
    if curve == "ROC":
        return tf.div(fp, fp + tn + epsilon), recall
    return recall, tf.div(tp + epsilon, tp + fp + epsilon)
