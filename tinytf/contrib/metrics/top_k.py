"""Metrics of the k classes with the highest scores, with predictions before labels."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.metrics.renamed import streaming_mean, swapped
from tinytf.python.ops import metrics_impl

streaming_sparse_average_precision_at_k = swapped(
    tf.metrics.average_precision_at_k, name="streaming_sparse_average_precision_at_k"
)
streaming_sparse_precision_at_k = swapped(tf.metrics.precision_at_k, name="streaming_sparse_precision_at_k")
streaming_sparse_recall_at_k = swapped(tf.metrics.recall_at_k, name="streaming_sparse_recall_at_k")


def streaming_recall_at_k(
    predictions: Any,
    labels: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Computes the fraction of elements whose integer label is among the k classes with the highest predictions.

    Other arguments and the results are as in `tf.metrics.mean`.
    """
    found = tf.cast(tf.nn.in_top_k(predictions, labels, k), tf.float32)
    return streaming_mean(found, weights, metrics_collections, updates_collections, name or f"recall_at_{k:d}")


def streaming_sparse_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """`tf.metrics.precision_at_top_k`, with predictions before labels."""
    with tf.name_scope(name, _name("precision", class_id), (top_k_predictions, labels, weights)) as scope:
        return tf.metrics.precision_at_top_k(
            labels, top_k_predictions, None, class_id, weights, metrics_collections, updates_collections, scope
        )


def sparse_recall_at_top_k(
    labels: Any,
    top_k_predictions: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """`tf.metrics.recall_at_top_k`."""
    with tf.name_scope(name, _name("recall", class_id), (top_k_predictions, labels, weights)) as scope:
        return tf.metrics.recall_at_top_k(
            labels, top_k_predictions, None, class_id, weights, metrics_collections, updates_collections, scope
        )


def _name(what: str, class_id: int | None) -> str:
    return f"{what}_at_k" if class_id is None else f"{what}_at_k_class{class_id:d}"


def streaming_sparse_average_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Like `tf.metrics.average_precision_at_k`, for given class indices of the top k predictions instead of scores."""
    return metrics_impl.mean_average_precision(
        labels, top_k_predictions, weights, metrics_collections, updates_collections, name
    )
