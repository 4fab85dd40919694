"""Covariance and correlation of a stream."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.ops import metrics_impl, weights_broadcast_ops


def streaming_covariance(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Computes the unbiased sample covariance of predictions and labels, NaN for fewer than two elements.

    Comoments of batches are combined as in Chan, Golub and LeVeque, Updating Formulae and a Pairwise Algorithm for
    Computing Sample Variances, 1979. Arguments and results are as in `tf.metrics.mean_squared_error`, with predictions
    before labels; both are float32.
    """
    with tf.variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = metrics_impl.fitted(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        count = metrics_impl.metric_variable([], tf.float32, name="count")
        mean_prediction = metrics_impl.metric_variable([], tf.float32, name="mean_prediction")
        mean_label = metrics_impl.metric_variable([], tf.float32, name="mean_label")
        comoment = metrics_impl.metric_variable([], tf.float32, name="comoment")
        if weights is None:
            batch_count = tf.cast(tf.size(labels), tf.float32)
            weighted_predictions, weighted_labels = predictions, labels
        else:
            weights = weights_broadcast_ops.broadcast_weights(weights, labels)
            batch_count = tf.reduce_sum(weights)
            weighted_predictions, weighted_labels = tf.multiply(predictions, weights), tf.multiply(labels, weights)
        updated_count = tf.assign_add(count, batch_count)
        count_before = updated_count - batch_count
        batch_prediction, prediction_before = _updated_mean(
            mean_prediction, weighted_predictions, batch_count, updated_count
        )
        batch_label, label_before = _updated_mean(mean_label, weighted_labels, batch_count, updated_count)
        residuals = (predictions - batch_prediction) * (labels - batch_label)
        batch_comoment = tf.reduce_sum(residuals if weights is None else residuals * weights)
        between = (prediction_before - batch_prediction) * (label_before - batch_label)
        more = batch_comoment + between * (count_before * batch_count / updated_count)
        updated = tf.assign_add(comoment, more)
        value = _covariance(comoment, count, "covariance")
        with tf.control_dependencies([updated]):
            update = _covariance(comoment, count, "update_op")
    metrics_impl.collected(value, metrics_collections)
    return value, metrics_impl.collected(update, updates_collections)


def _updated_mean(mean: Any, values: Any, batch_count: Any, updated_count: Any) -> tuple[Any, Any]:
    """Adds a batch to a running mean; returns the mean of the batch and the running mean before it."""
    batch_mean = tf.div_no_nan(tf.reduce_sum(values), batch_count)
    delta = tf.div_no_nan((batch_mean - mean) * batch_count, updated_count)
    updated = tf.assign_add(mean, delta)
    return batch_mean, updated - delta


def _covariance(comoment: Any, count: Any, name: str) -> Any:
    return tf.where(tf.less_equal(count, 1.0), float("nan"), tf.truediv(comoment, count - 1), name=name)


def streaming_pearson_correlation(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Computes the correlation coefficient of predictions and labels; otherwise like `streaming_covariance`."""
    with tf.variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = metrics_impl.fitted(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        if weights is not None:
            weights = weights_broadcast_ops.broadcast_weights(weights, labels)
        both = streaming_covariance(predictions, labels, weights=weights, name="covariance")
        first = streaming_covariance(predictions, predictions, weights=weights, name="variance_predictions")
        second = streaming_covariance(labels, labels, weights=weights, name="variance_labels")
        value, update = (
            tf.truediv(both[i], tf.multiply(tf.sqrt(first[i]), tf.sqrt(second[i])), name=("pearson_r", "update_op")[i])
            for i in range(2)
        )
    metrics_impl.collected(value, metrics_collections)
    return value, metrics_impl.collected(update, updates_collections)
