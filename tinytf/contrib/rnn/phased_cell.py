"""`PhasedLSTMCell`: an LSTM whose units are updated periodically."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.linear import Linear
from tinytf.python.ops.rnn_cell_impl import RNNCell


class PhasedLSTMCell(RNNCell):
    """An LSTM cell whose units are open during a part of their period only (http://arxiv.org/abs/1610.09513).

    The input is a pair of times, float32 or float64 [batch, 1], and values, float32.

    Args:
      num_units: int, size of the output and of each state.
      use_peepholes: bool, whether the gates read the cell state.
      leak: float or scalar tensor, openness while a unit is closed, as a multiple of the elapsed part of the period.
      ratio_on: float or scalar tensor, initial part of the period in which a unit is open.
      trainable_ratio_on: bool, whether that part is trainable.
      period_init_min: float or scalar tensor, minimum initial period.
      period_init_max: float or scalar tensor, maximum initial period; the logarithm is distributed uniformly.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        leak: Any = 0.001,
        ratio_on: Any = 0.1,
        trainable_ratio_on: bool = True,
        period_init_min: Any = 1.0,
        period_init_max: Any = 1000.0,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._leak = leak
        self._ratio_on = ratio_on
        self._trainable_ratio_on = trainable_ratio_on
        self._periods = period_init_min, period_init_max
        self._linear: dict[str, Linear] = {}

    @property
    def state_size(self) -> Any:
        """The sizes of `c` and `h`."""
        return tf.nn.rnn_cell.LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self) -> int:
        """The number of units."""
        return self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        c, h = state
        time, x = inputs
        seen = [x, h]
        with tf.variable_scope("mask_gates"):
            gates = tf.sigmoid(self._mapped("mask_gates", self._peeping(seen, c), 2 * self._num_units))
            put_in, forget = tf.split(axis=1, num_or_size_splits=2, value=gates)
        with tf.variable_scope("new_input"):
            fresh = tf.tanh(self._mapped("new_input", seen, self._num_units))
        new_c = c * forget + put_in * fresh
        with tf.variable_scope("output_gate"):
            put_out = tf.sigmoid(self._mapped("output_gate", self._peeping(seen, new_c), self._num_units))
        new_h = tf.tanh(new_c) * put_out
        opening = self._opening(time)
        new_c = opening * new_c + (1 - opening) * c
        new_h = opening * new_h + (1 - opening) * h
        return new_h, tf.nn.rnn_cell.LSTMStateTuple(new_c, new_h)

    def _peeping(self, seen: list[Any], c: Any) -> list[Any]:
        return [*seen, c] if self._use_peepholes else seen

    def _mapped(self, name: str, seen: list[Any], size: int) -> Any:
        if name not in self._linear:
            self._linear[name] = Linear(seen, size)
        return self._linear[name](seen)

    def _opening(self, time: Any) -> Any:
        """Returns the openness of the units: rising in the first half of the open phase, falling in the second half."""
        shape = [self._num_units]
        period = tf.get_variable("period", shape, initializer=_exponential(*self._periods))
        spread = tf.random_uniform_initializer(0.0, period.initial_value)
        phase = tf.get_variable("phase", shape, initializer=spread)
        start, trainable = tf.constant_initializer(self._ratio_on), self._trainable_ratio_on
        ratio_on = tf.get_variable("ratio_on", shape, initializer=start, trainable=trainable)
        passed = _part_of_period(time, phase, period)
        up = 2 * passed / ratio_on
        down = 2 - up
        closed = self._leak * passed
        opening = tf.where(passed < ratio_on, down, closed)
        return tf.where(passed < 0.5 * ratio_on, up, opening)


def _part_of_period(time: Any, phase: Any, period: Any) -> Any:
    """Returns the elapsed part of each unit's period, computed in the dtype of the time."""
    phase, period = (tf.cast(value, time.dtype) for value in (phase, period))
    shifted = time - phase
    # The remainder, with the gradient of the dividend.
    remainder = tf.stop_gradient(tf.mod(shifted, period) - shifted) + shifted
    return tf.cast(remainder / period, tf.float32)


def _exponential(least: Any, most: Any) -> Callable[..., Any]:
    """Returns an initializer of log-uniform random numbers."""

    def initializer(shape: Any, dtype: Any = tf.float32, partition_info: Any = None) -> Any:
        return tf.exp(tf.random_uniform(shape, tf.log(least), tf.log(most), dtype))

    return initializer
