"""Resampling: batches whose rows occur with given rates or weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tinytf as tf
from tinytf.python.training.moving_averages import assign_moving_average


def resample_at_rate(
    inputs: Sequence[Any], rates: Any, scope: str | None = None, seed: int | None = None, back_prop: bool = False
) -> list[Any]:
    """Repeats each row a random number of times, with the row's rate as its expectation.

    Args:
      inputs: list of tensors [batch_size, …] that are resampled together.
      rates: float tensor [batch_size], expected number of copies of each row. Rows with negative rates are dropped.
      scope: string, name of the name scope.
      seed: int, seed of the random numbers.
      back_prop: bool, whether gradients flow into the row indices; they have none, so this has no effect on values.

    Returns:
      A list of the resampled tensors, with rows in their original order. The step fails with InvalidArgumentError if a
      rate is NaN or a count exceeds int32.
    """
    with tf.name_scope(scope, "resample_at_rate", list(inputs) + [rates]):
        rates = tf.convert_to_tensor(rates, name="rates")
        counts = tf.cast(tf.random_poisson(rates, (), rates.dtype, seed=seed), tf.int32)
        indices = _repeated_range(counts)
        if not back_prop:
            indices = tf.stop_gradient(indices)
        return [tf.gather(tensor, indices) for tensor in inputs]


def _repeated_range(counts: Any) -> Any:
    """Returns an int32 vector that has each index `i` `counts[i]` times."""
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
    """Repeats each row a random number of times, with an expectation proportional to the row's weight.

    Args:
      inputs: list of tensors [batch_size, …] that are resampled together.
      weights: float tensor [batch_size].
      overall_rate: float, expected number of copies of a row, averaged over rows and steps.
      scope: string, name of the name scope, and of the variable scope of the local variable `estimated_mean`, the
        moving average of the weights.
      mean_decay: float, decay of that moving average.
      seed: int, seed of the random numbers.

    Returns:
      A pair of the list of resampled tensors and a vector with the rate of each resulting row. The step fails as for
      `resample_at_rate`, and also if the mean of the weights is 0 or not a number.
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
