"""`LayerNormBasicLSTMCell`: an LSTM with layer normalization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.ops.rnn_cell_impl import RNNCell


class LayerNormBasicLSTMCell(RNNCell):
    """An LSTM cell with layer normalization (https://arxiv.org/abs/1607.06450) and recurrent dropout.

    Gate inputs and the cell state are normalized. Dropout applies to the candidate (https://arxiv.org/abs/1603.05118).

    Args:
      num_units: int, size of the output and of each state.
      forget_bias: float, added to the input of the forget gate.
      input_size: deprecated and ignored.
      activation: activation function of the candidate and of the output.
      layer_norm: bool, whether to normalize; otherwise a bias is added.
      norm_gain: float, initial scale after normalization.
      norm_shift: float, initial offset after normalization.
      dropout_keep_prob: float or scalar tensor, probability that an element of the candidate is kept.
      dropout_prob_seed: int, seed of the dropout.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        input_size: Any = None,
        activation: Callable[[Any], Any] = tf.tanh,
        layer_norm: bool = True,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
        dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: int | None = None,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if input_size is not None:
            tf.logging.warn(f"{self}: The input_size parameter is deprecated.")
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._activation = activation
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift
        self._keep_prob = dropout_keep_prob
        self._seed = dropout_prob_seed

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
        i, j, f, o = tf.split(value=self._gates(tf.concat([inputs, h], 1)), num_or_size_splits=4, axis=1)
        i, j = self._normalized(i, "input"), self._normalized(j, "transform")
        f, o = self._normalized(f, "forget"), self._normalized(o, "output")
        fresh = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            fresh = tf.nn.dropout(fresh, self._keep_prob, seed=self._seed)
        c = c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * fresh
        c = self._normalized(c, "state")
        h = self._activation(c) * tf.sigmoid(o)
        return h, tf.nn.rnn_cell.LSTMStateTuple(c, h)

    def _gates(self, x: Any) -> Any:
        columns = 4 * self._num_units
        gates = tf.matmul(x, tf.get_variable("kernel", [x.shape[-1], columns], dtype=x.dtype))
        if self._layer_norm:
            return gates
        return tf.nn.bias_add(gates, tf.get_variable("bias", [columns], dtype=x.dtype))

    def _normalized(self, x: Any, scope: str) -> Any:
        if not self._layer_norm:
            return x
        return normalized(x, scope, self._norm_gain, self._norm_shift, dtype=x.dtype)


def normalized(x: Any, scope: str, gain: float, shift: float, dtype: Any = tf.float32) -> Any:
    """Returns `x` with each row normalized to mean 0 and variance 1, then scaled and shifted.

    Scale and offset are variables of `dtype` in `scope` with the initial values `gain` and `shift`.
    """
    shape = x.shape[-1:]
    with tf.variable_scope(scope):
        tf.get_variable("gamma", shape, dtype=dtype, initializer=tf.constant_initializer(gain))
        tf.get_variable("beta", shape, dtype=dtype, initializer=tf.constant_initializer(shift))
    # Looks the variables up as `tf.contrib.layers.layer_norm` does in that scope.
    with tf.variable_scope(scope, reuse=True):
        options = {"shape": shape, "dtype": x.dtype}
        beta, gamma = (tf.contrib.framework.model_variable(name, **options) for name in ("beta", "gamma"))
        mean, variance = tf.nn.moments(x, [1], keep_dims=True)
        epsilon = 1e-3 if x.dtype == tf.float16 else 1e-12
        return tf.nn.batch_normalization(x, mean, variance, offset=beta, scale=gamma, variance_epsilon=epsilon)
