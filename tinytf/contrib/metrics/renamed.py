"""Metrics of `tf.metrics` with predictions before labels."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.ops import metrics_impl

Measure = Callable[..., tuple[Any, Any]]


def swapped(measure: Measure, *without: str, name: str | None = None) -> Measure:
    """Returns `streaming_NAME` of a metric: its first two arguments are swapped, the arguments in `without` are
    removed."""
    labels, predictions, *more = inspect.signature(measure).parameters.values()
    more = [parameter for parameter in more if parameter.name not in without]
    signature = inspect.Signature([predictions, labels, *more])

    @functools.wraps(measure)
    def streaming(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        return measure(**signature.bind(*args, **kwargs).arguments)

    streaming.__name__ = streaming.__qualname__ = name or f"streaming_{measure.__name__}"
    streaming.__module__ = __name__
    streaming.__doc__ = f"Like `tf.metrics.{measure.__name__}`, but with predictions before labels."
    streaming.__signature__ = signature  # type: ignore[attr-defined]
    return streaming


streaming_accuracy = swapped(tf.metrics.accuracy)
streaming_auc = swapped(tf.metrics.auc, "summation_method", "thresholds")
streaming_false_negatives = swapped(tf.metrics.false_negatives)
streaming_false_positives = swapped(tf.metrics.false_positives)
streaming_mean_absolute_error = swapped(tf.metrics.mean_absolute_error)
streaming_mean_iou = swapped(tf.metrics.mean_iou)
streaming_mean_relative_error = swapped(tf.metrics.mean_relative_error)
streaming_mean_squared_error = swapped(tf.metrics.mean_squared_error)
streaming_precision = swapped(tf.metrics.precision)
streaming_precision_at_thresholds = swapped(tf.metrics.precision_at_thresholds)
streaming_recall = swapped(tf.metrics.recall)
streaming_recall_at_thresholds = swapped(tf.metrics.recall_at_thresholds)
streaming_root_mean_squared_error = swapped(tf.metrics.root_mean_squared_error)
streaming_sensitivity_at_specificity = swapped(tf.metrics.sensitivity_at_specificity)
streaming_specificity_at_sensitivity = swapped(tf.metrics.specificity_at_sensitivity)
streaming_true_negatives = swapped(tf.metrics.true_negatives)
streaming_true_positives = swapped(tf.metrics.true_positives)


def streaming_mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Calls `tf.metrics.mean`."""
    return tf.metrics.mean(values, weights, metrics_collections, updates_collections, name)


def streaming_mean_tensor(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Calls `tf.metrics.mean_tensor`."""
    return tf.metrics.mean_tensor(values, weights, metrics_collections, updates_collections, name)


def streaming_percentage_less(
    values: Any,
    threshold: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Calls `tf.metrics.percentage_below`."""
    return tf.metrics.percentage_below(values, threshold, weights, metrics_collections, updates_collections, name)


def streaming_mean_cosine_distance(
    predictions: Any,
    labels: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """`tf.metrics.mean_cosine_distance`, with predictions before labels."""
    predictions, labels, weights = metrics_impl.fitted(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    products = tf.reduce_sum(tf.multiply(predictions, labels), axis=[dim], keepdims=True)
    value, update = streaming_mean(products, weights, None, None, name or "mean_cosine_distance")
    value, update = tf.subtract(1.0, value), tf.subtract(1.0, update)
    metrics_impl.collected(value, metrics_collections)
    return value, metrics_impl.collected(update, updates_collections)
