"""The weighting shared by all losses, and the collection of losses."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.framework import add_arg_scope


def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> Any:
    """Computes the sum of weighted losses divided by the number of losses with nonzero weight.

    Args:
      losses: tensor [batch, …] of known rank.
      weights: scalar, or tensor of the leading dimensions of `losses`; a last dimension of size 1 is dropped.
      scope: string, name of the name scope.

    Returns:
      A scalar of the dtype of `losses`, also added to `GraphKeys.LOSSES`.

    Raises:
      ValueError: if a rank is unknown.
    """
    with tf.name_scope(scope, "weighted_loss", [losses, weights]):
        losses = tf.convert_to_tensor(losses)
        input_dtype = losses.dtype
        losses = tf.cast(losses, tf.float32)
        weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
        if losses.shape.ndims is None:
            raise ValueError("losses.get_shape().ndims cannot be None")
        if weights.shape.ndims is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        if weights.shape.ndims > 1 and weights.shape.dims[-1].is_compatible_with(1):
            weights = tf.squeeze(weights, [-1])
        total = scaled(losses, weights)
        count = num_present(losses, weights)
        mean = tf.div_no_nan(tf.reduce_sum(total), count, name="value")
        mean = tf.cast(mean, input_dtype)
        add_loss(mean)
        return mean


def scaled(losses: Any, weights: Any) -> Any:
    """Returns the sum of losses times weights."""
    axes = list(range(max(0, weights.shape.ndims), losses.shape.ndims))
    return tf.reduce_sum(tf.multiply(tf.reduce_sum(losses, axis=axes), weights))


def num_present(losses: Any, weights: Any, per_batch: bool = False) -> Any:
    """Returns the number of losses with nonzero weight, with `per_batch` for each batch element."""
    if weights.shape.ndims == 0:
        batch_size = tf.reshape(tf.slice(tf.shape(losses), [0], [1]), [])
        each = tf.div(tf.cast(tf.size(losses), tf.float32), tf.cast(batch_size, tf.float32))
        each = tf.where(tf.equal(weights, 0), 0.0, each)
        each = tf.multiply(tf.ones(tf.reshape(batch_size, [1])), each)
    else:
        axes = list(range(1, weights.shape.ndims))
        nonzero = tf.reduce_sum(tf.cast(tf.not_equal(weights, 0), tf.float32), axis=axes)
        others = tf.slice(tf.shape(losses), [weights.shape.ndims], [-1])
        each = tf.multiply(nonzero, tf.cast(tf.reduce_prod(others), tf.float32))
    return each if per_batch else tf.reduce_sum(each)


@add_arg_scope
def add_loss(loss: Any, loss_collection: str | None = tf.GraphKeys.LOSSES) -> None:
    """Adds a loss to a collection, unless that is None."""
    if loss_collection:
        tf.add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = tf.GraphKeys.LOSSES) -> list[Any]:
    """Returns the losses in a collection, filtered by the regular expression `scope` on names."""
    return tf.get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """Returns the regularization losses, filtered by the regular expression `scope` on names."""
    return tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES, scope)


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> Any:
    """Returns the sum of all losses, by default including regularization losses. Raises ValueError if there
    are none."""
    losses = get_losses()
    if add_regularization_losses:
        losses = losses + get_regularization_losses()
    return tf.add_n(losses, name=name)
