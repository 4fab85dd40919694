"""Loss functions.

Weights, results and exceptions are as in `compute_weighted_loss`; they also raise ValueError if predictions and labels
have incompatible shapes.
"""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.losses.collection import add_loss, compute_weighted_loss, num_present, scaled


def _floats(predictions: Any, labels: Any) -> tuple[Any, Any]:
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return tf.cast(predictions, tf.float32), tf.cast(labels, tf.float32)


def absolute_difference(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Computes the weighted loss of `|predictions - labels|`."""
    with tf.name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(tf.abs(tf.subtract(predictions, labels)), weights, scope=scope)


def mean_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Computes the weighted loss of `(predictions - labels) ** 2`."""
    with tf.name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(tf.squared_difference(predictions, labels), weights, scope=scope)


def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: float = 1e-7, scope: str | None = None
) -> Any:
    """Computes the weighted loss of `-labels * log(p + epsilon) - (1 - labels) * log(1 - p + epsilon)`."""
    with tf.name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        positive = tf.negative(tf.multiply(labels, tf.log(predictions + epsilon)))
        losses = positive - tf.multiply(1 - labels, tf.log(1 - predictions + epsilon))
        return compute_weighted_loss(losses, weights, scope=scope)


def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Any:
    """Returns `max(0, 1 - logits * (2 * labels - 1))` elementwise for labels 0 and 1, without weights or reduction."""
    with tf.name_scope(scope, "hinge_loss", [logits, labels]) as scope:
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        labels = tf.cast(labels, tf.float32)
        ones = tf.ones_like(labels)
        signs = tf.subtract(2 * labels, ones)
        return tf.nn.relu(tf.subtract(ones, tf.multiply(signs, logits)))


def cosine_distance(
    predictions: Any,
    labels: Any = None,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    dim: int | None = None,
) -> Any:
    """Computes the weighted loss of `1 - sum(predictions * labels)` along `axis` for unit vectors.

    `dim` is a deprecated name of `axis`. Raises ValueError unless exactly one of them is given.
    """
    if dim is not None:
        if axis is not None:
            raise ValueError("Cannot specify both 'dim' and 'axis'")
        axis = dim
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    with tf.name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        losses = 1 - tf.reduce_sum(tf.multiply(predictions, labels), axis=[axis])
        return compute_weighted_loss(losses, weights, scope=scope)


def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> Any:
    """Computes the mean squared difference of errors over pairs of elements of a row, summed over rows."""
    with tf.name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _floats(predictions, labels)
        weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
        differences = tf.subtract(predictions, labels)
        if differences.shape.ndims is None:
            raise ValueError("diffs.get_shape().ndims cannot be None")
        if weights.shape.ndims is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        axes = list(range(1, differences.shape.ndims))
        squares = tf.reduce_sum(tf.square(differences), axis=axes)
        present = num_present(differences, weights, per_batch=True)
        of_squares = 2.0 * tf.div_no_nan(squares, present, name="value")
        total = tf.reduce_sum(differences, axis=axes)
        of_sums = 2.0 * tf.div_no_nan(tf.square(total), tf.square(present), name="value")
        loss = scaled(of_squares - of_sums, weights)
        mean = tf.where(tf.reduce_sum(present) > 0, loss, tf.zeros_like(loss), name="value")
        add_loss(mean)
        return mean


def sigmoid_cross_entropy(
    logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> Any:
    """Computes the weighted sigmoid cross entropy; `label_smoothing` moves labels towards 1/2."""
    with tf.name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as scope:
        logits.get_shape().assert_is_compatible_with(multi_class_labels.get_shape())
        labels = tf.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> Any:
    """Computes the weighted softmax cross entropy of labels [batch, classes]; `label_smoothing` moves them towards
    1/classes."""
    with tf.name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        logits.get_shape().assert_is_compatible_with(onehot_labels.get_shape())
        labels = tf.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = tf.cast(tf.shape(labels)[1], logits.dtype)
            missing = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + missing
        losses = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


def sparse_softmax_cross_entropy(logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Computes the weighted softmax cross entropy of class indices [batch] or [batch, 1]."""
    with tf.name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels = tf.reshape(labels, shape=[tf.shape(labels)[0]])
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)
