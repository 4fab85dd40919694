"""The area under the ROC curve with its confidence interval, from placement values: ranks of one class within the
other."""

from __future__ import annotations

from typing import Any, NamedTuple

import tinytf as tf
from tinytf.contrib.metrics.dynamic_auc import checked_labels
from tinytf.contrib.metrics.normal_quantile import standard_normal_quantile
from tinytf.contrib.metrics.streams import streaming_concat
from tinytf.python.ops import metrics_impl

_EPSILON = metrics_impl.EPSILON


class AucData(NamedTuple):
    """An area and the bounds of its confidence interval: float32 scalars."""

    auc: Any
    lower: Any
    upper: Any


def auc_with_confidence_intervals(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    alpha: float = 0.95,
    logit_transformation: bool = True,
    metrics_collections: Any = (),
    updates_collections: Any = (),
    name: str | None = None,
) -> tuple[AucData, Any]:
    """Computes the area under the ROC curve and its confidence interval from all elements of the stream, which are
    stored.

    See Sun and Xu, Fast Implementation of DeLong's Algorithm, 2014.

    Args:
      labels: tensor of zeros and ones.
      predictions: float32 tensor of the same shape.
      weights: tensor of weights of the elements, or None.
      alpha: float, confidence level in (0, 1).
      logit_transformation: bool, whether the interval is computed for the logit of the area, which keeps it within [0,
        1].
      metrics_collections: as in `tf.metrics.mean`.
      updates_collections: as in `tf.metrics.mean`.
      name: string, name of the variable scope.

    Returns:
      A pair of the `AucData` and an operation that adds a batch. All values are 0 if the labels of the current batch
      are equal or its weights sum to less than 1. The update fails with InvalidArgumentError if labels are not 0 or 1.

    Raises:
      ValueError: if `alpha` is out of range or shapes are incompatible.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1; currently {alpha:.02f}")
    if weights is None:
        weights = tf.ones_like(predictions)
    with tf.variable_scope(name, "auc_with_confidence_intervals", [labels, predictions, weights]):
        predictions, labels, weights = metrics_impl.fitted(predictions, labels, weights)
        total_weight = tf.reduce_sum(weights)
        weights = tf.reshape(weights, [-1])
        predictions = tf.reshape(tf.cast(predictions, tf.float64), [-1])
        labels = tf.reshape(tf.cast(labels, tf.int64), [-1])
        with checked_labels(labels):
            all_predictions, update_predictions = streaming_concat(predictions, name="concat_preds")
            all_labels, update_labels = streaming_concat(labels, name="concat_labels")
            all_weights, update_weights = streaming_concat(weights, name="concat_weights")
            updates = tf.group(update_labels, update_predictions, update_weights)
            has_both = tf.logical_and(tf.equal(tf.reduce_min(labels), 0), tf.equal(tf.reduce_max(labels), 1))
            is_enough = tf.greater_equal(total_weight, 1.0)
            is_valid = tf.logical_and(has_both, is_enough)
            update = tf.cond(is_enough, lambda: updates, tf.no_op)
            given = (all_labels, all_predictions, all_weights)
            value = _auc(given, alpha, logit_transformation, is_valid)
            metrics_impl.collected(update, updates_collections)
            return metrics_impl.collected(value, metrics_collections), update


class _Group(NamedTuple):
    """The elements of one class: their total weight, and for all elements weight and placement, 0 in the
    other class."""

    total: Any
    weights: Any
    placements: Any


def _auc(given: tuple[Any, Any, Any], alpha: float, logit_transformation: bool, is_valid: Any) -> AucData:
    auc, error = _area(*_groups(*given))
    z = standard_normal_quantile((1.0 - alpha) / 2.0)
    if logit_transformation:
        estimate = tf.log(auc / (1.0 - auc + _EPSILON))
        error /= auc * (1.0 - auc + _EPSILON)
        bounds = estimate + z * error, estimate - z * error
        low, high = (1.0 / (1.0 + tf.exp(tf.negative(each)) + _EPSILON) for each in bounds)
    else:
        low, high = auc + z * error, auc - z * error

    def bound(within: Any) -> Any:
        """Collapses the interval if the area is 0 or 1 and so has no variance."""
        is_extreme = tf.logical_or(tf.equal(auc, tf.ones_like(auc)), tf.equal(auc, tf.zeros_like(auc)))
        return tf.where(is_extreme, auc, within)

    lower, upper = bound(low), bound(high)
    nothing = tf.constant(0.0)
    return AucData(*tf.cond(is_valid, lambda: [auc, lower, upper], lambda: [nothing] * 3))


def _groups(labels: Any, predictions: Any, weights: Any) -> tuple[_Group, _Group]:
    """Returns the elements of class 0 and of class 1, in the order of their predictions."""
    size = tf.size(predictions, out_type=tf.int32)
    total_0 = tf.reduce_sum(tf.cast(1 - labels, weights.dtype) * weights)
    total_1 = tf.reduce_sum(tf.cast(labels, weights.dtype) * weights)
    ordered, order = tf.nn.top_k(predictions, k=size, sorted=True)
    ordered = tf.reverse(ordered, axis=tf.zeros(1, tf.int32))
    order = tf.reverse(order, axis=tf.zeros(1, tf.int32))
    labels, weights = tf.gather(labels, order), tf.gather(weights, order)
    segments = tf.unique(ordered)[1]  # equal predictions have one placement
    is_1 = tf.cast(labels, tf.float32)
    is_0 = 1.0 - is_1
    weights_1, weights_0 = weights * is_1, weights * is_0
    others = [tf.segment_sum(each, segments) for each in (weights_0, weights_1)]  # these place class 1, then class 0
    below = [tf.cumsum(each, exclusive=True) for each in others]
    places = [
        (before + here / 2.0) / (tf.reduce_sum(here) + _EPSILON) for before, here in zip(below, others, strict=True)
    ]
    of_1, of_0 = (tf.gather(each, segments) for each in places)
    placements = of_1 * is_1 + of_0 * is_0
    placements_0 = placements * tf.cast(1 - labels, weights.dtype)
    weights_0 = weights * tf.cast(1 - labels, weights.dtype)
    placements_1 = placements * tf.cast(labels, weights.dtype)
    weights_1 = weights * tf.cast(labels, weights.dtype)
    return _Group(total_0, weights_0, placements_0), _Group(total_1, weights_1, placements_1)


def _area(zeros: _Group, ones: _Group) -> tuple[Any, Any]:
    """Returns the area and its standard error."""
    auc_0 = tf.reduce_sum(zeros.weights * (1.0 - zeros.placements)) / (zeros.total + _EPSILON)
    auc_1 = tf.reduce_sum(ones.weights * ones.placements) / (ones.total + _EPSILON)
    auc = tf.where(tf.less(zeros.total, ones.total), auc_1, auc_0)
    squares = zeros.weights * tf.square(1.0 - zeros.placements - auc_0)
    variance_0 = tf.reduce_sum(squares) / (zeros.total - 1.0 + _EPSILON)
    squares = ones.weights * tf.squared_difference(ones.placements, auc_1)
    variance_1 = tf.reduce_sum(squares) / (ones.total - 1.0 + _EPSILON)
    return auc, tf.sqrt((variance_0 / (zeros.total + _EPSILON)) + (variance_1 / (ones.total + _EPSILON)))
