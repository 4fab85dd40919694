"""Means over a stream of batches, and means of the errors of predictions."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies
from tinytf._src.framework.values import dtypes
from tinytf._src.metrics.streams import collected, fitted, metric_variable, refuse_eager
from tinytf._src.ops.array.constant_tensors import ones_like, zeros_like
from tinytf._src.ops.array.gathering import where
from tinytf._src.ops.array.shape_ops import size
from tinytf._src.ops.math.arithmetic import abs, div, div_no_nan
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.reductions import reduce_sum
from tinytf._src.ops.nn.confusion_matrix import remove_squeezable_dimensions
from tinytf._src.ops.nn.weights_broadcast_ops import broadcast_weights
from tinytf._src.ops.state.state_ops import assign_add
from tinytf._src.variables.scope import variable_scope

__all__ = [
    "accuracy",
    "mean",
    "mean_absolute_error",
    "mean_cosine_distance",
    "mean_relative_error",
    "mean_squared_error",
    "mean_tensor",
    "percentage_below",
    "root_mean_squared_error",
]

Measure = tuple[Tensor, Tensor]


@tf_export("metrics.mean")
@called_by_users
def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the weighted mean of all values in a stream of batches.

    Args:
      values: numeric tensor, cast to float32.
      weights: None, or a tensor of value weights: a scalar, or of the rank of `values` with each dimension equal to
        that of `values` or 1. A rank that differs by one is adjusted by a last dimension of size 1.
      metrics_collections: optional collection names to which the value is added.
      updates_collections: optional collection names to which the update is added.
      name: optional name of the variable scope.

    Returns:
      Two float32 scalars: the mean, 0 before the first update, and the mean after the update that yields it.

    Raises:
      ValueError: if `weights` cannot be broadcast to `values`.
      RuntimeError: in eager execution.

    Example:
      value, update = tf.metrics.mean(batch)
      sess.run(tf.local_variables_initializer())
      sess.run(update)  # adds a batch
      print(sess.run(value))
    """
    refuse_eager("mean")
    with variable_scope(name, "mean", (values, weights)):
        values = cast(values, dtypes.float32)
        total = metric_variable([], dtypes.float32, name="total")
        count = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            seen = cast(size(values), dtypes.float32)
        else:
            values, weights = _weighted(values, weights)
            seen = reduce_sum(weights)
        return _quotient(total, reduce_sum(values), count, seen, values, metrics_collections, updates_collections)


@tf_export("metrics.mean_tensor")
@called_by_users
def mean_tensor(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the weighted mean of each element of a stream of tensors of one shape.

    Args:
      values, weights, metrics_collections, updates_collections, name: as in `mean`; the shape of `values` must be
        known.

    Returns:
      Two float32 tensors of the shape of `values`: the mean, and the mean after the update that yields it.

    Raises:
      RuntimeError: in eager execution.
    """
    refuse_eager("mean_tensor")
    with variable_scope(name, "mean", (values, weights)):
        values = cast(values, dtypes.float32)
        total = metric_variable(values.shape, dtypes.float32, name="total_tensor")
        count = metric_variable(values.shape, dtypes.float32, name="count_tensor")
        seen = ones_like(values)
        if weights is not None:
            values, weights = _weighted(values, weights)
            seen = gen_ops.mul(seen, weights)
        return _quotient(total, values, count, seen, values, metrics_collections, updates_collections)


def _weighted(values: Any, weights: Any) -> tuple[Tensor, Tensor]:
    """Returns the products of values and weights, and the weights, both in the shape of the values."""
    values, _, weights = fitted(values, None, weights)
    weights = broadcast_weights(cast(weights, dtypes.float32), values)
    return gen_ops.mul(values, weights), weights


def _quotient(
    total: Any, more: Any, count: Any, seen: Any, values: Any, metrics_collections: Any, updates_collections: Any
) -> Measure:
    """Returns total / count before and after the update that adds `more` and `seen`."""
    updated_total = assign_add(total, more)
    with control_dependencies([values]):
        updated_count = assign_add(count, seen)
    value = div_no_nan(total, gen_ops.maximum(count, 0), name="value")
    collected(value, metrics_collections)
    update = div_no_nan(updated_total, gen_ops.maximum(updated_count, 0), name="update_op")
    return value, collected(update, updates_collections)


@tf_export("metrics.accuracy")
@called_by_users
def accuracy(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes how often `predictions` equals `labels`. `predictions` has the shape of `labels`; other arguments,
    results and errors are as in `mean`.
    """
    refuse_eager("accuracy")
    predictions, labels, weights = fitted(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    if labels.dtype != predictions.dtype:
        predictions = cast(predictions, labels.dtype)
    correct = cast(gen_ops.equal(predictions, labels), dtypes.float32)
    return mean(correct, weights, metrics_collections, updates_collections, name or "accuracy")


@tf_export("metrics.mean_absolute_error")
@called_by_users
def mean_absolute_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the mean of `|predictions - labels|`. Other arguments, results and errors are as in `mean`."""
    refuse_eager("mean_absolute_error")
    predictions, labels, weights = fitted(predictions, labels, weights)
    errors = abs(predictions - labels)
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_absolute_error")


@tf_export("metrics.mean_squared_error")
@called_by_users
def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the mean of `(predictions - labels) ** 2`. Other arguments, results and errors are as in `mean`."""
    refuse_eager("mean_squared_error")
    predictions, labels, weights = fitted(predictions, labels, weights)
    errors = gen_ops.squared_difference(labels, predictions)
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_squared_error")


@tf_export("metrics.root_mean_squared_error")
@called_by_users
def root_mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the square root of `mean_squared_error`; arguments, results and errors are the same."""
    refuse_eager("root_mean_squared_error")
    predictions, labels, weights = fitted(predictions, labels, weights)
    value, update = mean_squared_error(labels, predictions, weights, None, None, name or "root_mean_squared_error")
    value = collected(gen_ops.sqrt(value), metrics_collections)
    return value, collected(gen_ops.sqrt(update), updates_collections)


@tf_export("metrics.mean_relative_error")
@called_by_users
def mean_relative_error(
    labels: Any,
    predictions: Any,
    normalizer: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the mean of `|labels - predictions| / normalizer`, where an element is 0 if its normalizer is 0.

    `normalizer` has the shape of `predictions`; other arguments, results and errors are as in `mean`.
    """
    refuse_eager("mean_relative_error")
    predictions, labels, weights = fitted(predictions, labels, weights)
    predictions, normalizer = remove_squeezable_dimensions(predictions, normalizer)
    predictions.shape.assert_is_compatible_with(normalizer.shape)
    errors = where(gen_ops.equal(normalizer, 0.0), zeros_like(labels), div(abs(labels - predictions), normalizer))
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_relative_error")


@tf_export("metrics.mean_cosine_distance")
@called_by_users
def mean_cosine_distance(
    labels: Any,
    predictions: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes 1 minus the mean of `sum(predictions * labels)` along dimension `dim`, for unit vectors.

    `weights` has size 1 in dimension `dim`; other arguments, results and errors are as in `mean`.
    """
    refuse_eager("mean_cosine_distance")
    predictions, labels, weights = fitted(predictions, labels, weights)
    products = reduce_sum(gen_ops.mul(predictions, labels), axis=[dim], keepdims=True)
    value, update = mean(products, weights, None, None, name or "mean_cosine_distance")
    value, update = gen_ops.sub(1.0, value), gen_ops.sub(1.0, update)
    return collected(value, metrics_collections), collected(update, updates_collections)


@tf_export("metrics.percentage_below")
@called_by_users
def percentage_below(
    values: Any,
    threshold: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Measure:
    """Computes the fraction, from 0 to 1, of `values` that are less than `threshold`. Other arguments, results and
    errors are as in `mean`.
    """
    refuse_eager("percentage_below")
    below = cast(gen_ops.less(values, threshold), dtypes.float32)
    return mean(below, weights, metrics_collections, updates_collections, name or "percentage_below_threshold")
