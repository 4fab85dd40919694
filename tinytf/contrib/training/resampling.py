"""Batches in which examples come as often as rates or weights say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tinytf as tf
from tinytf.python.training.moving_averages import assign_moving_average


def resample_at_rate(
    inputs: Sequence[Any], rates: Any, scope: str | None = None, seed: int | None = None, back_prop: bool = False
) -> list[Any]:
    """Rows of tensors, each a random number of times, whose mean over many runs is the row's rate.

    Args:
      inputs: tensors of shape [batch_size, …]; their rows of one number belong together.
      rates: floats of shape [batch_size]. A row of a rate below zero does not come.
      scope: of the nodes.
      seed: of the random numbers.
      back_prop: whether gradients are asked for the numbers of rows, too, which have none.

    Returns what has been chosen of each input, in the order of the rows. The step fails with InvalidArgumentError for rates
    that are NaN or that int32 does not have.
    """
    with tf.name_scope(scope, "resample_at_rate", list(inputs) + [rates]):
        rates = tf.convert_to_tensor(rates, name="rates")
        counts = tf.cast(tf.random_poisson(rates, (), rates.dtype, seed=seed), tf.int32)
        indices = _repeated_range(counts)
        if not back_prop:
            indices = tf.stop_gradient(indices)
        return [tf.gather(tensor, indices) for tensor in inputs]


def _repeated_range(counts: Any) -> Any:
    """`i` as often as `counts[i]` says, for each `i`: int32 vectors."""
    with tf.name_scope(None, "repeat_range", [counts]) as scope:
        counts = tf.convert_to_tensor(counts, name="counts")
        size = tf.shape(counts)[0]
        parts = tf.TensorArray(tf.int32, size=size, infer_shape=False)
        written, writes = tf.while_loop(
            lambda _, i: i < size,
            lambda parts, i: (parts.write(i, tf.fill(counts[i : i + 1], i)), i + 1),
            [parts, 0],
        )
        return tf.cond(writes > 0, written.concat, lambda: tf.zeros([0], tf.int32), name=scope)


def weighted_resample(
    inputs: list[Any],
    weights: Any,
    overall_rate: Any,
    scope: str | None = None,
    mean_decay: float = 0.999,
    seed: int | None = None,
) -> tuple[list[Any], Any]:
    """Rows of tensors, each a random number of times, whose mean over many runs is in proportion to the row's weight.

    Args:
      inputs: a list of tensors of shape [batch_size, …].
      weights: a tensor of floats of shape [batch_size].
      overall_rate: how often a row comes in the mean over rows and runs.
      scope: of the nodes, and of the local variable `estimated_mean` that has the mean weight.
      mean_decay: how much of that mean is kept in each run.
      seed: of the random numbers.

    Returns what has been chosen of each input, and the rate that each chosen row came by. The step fails as that of
    `resample_at_rate`, also where weights have no mean, or one of zero.
    """
    with tf.name_scope(scope, "weighted_resample", inputs) as full_scope:
        with tf.variable_scope(scope, "estimate_mean", inputs):
            estimated_mean = tf.get_local_variable(
                "estimated_mean", initializer=tf.cast(0, weights.dtype), dtype=weights.dtype
            )
            mean = assign_moving_average(estimated_mean, tf.reduce_mean(weights), mean_decay)
        rates = weights * overall_rate / mean
        chosen_rates, *chosen = resample_at_rate([rates, *inputs], rates, full_scope, seed)
        return chosen, chosen_rates
