"""Cells with diagonal recurrence: a unit sees only its own last output, or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.layers.base import InputSpec
from tinytf.python.ops.rnn_cell_impl import LayerRNNCell


class _DiagonalCell(LayerRNNCell):
    """Base class: sizes, options and variables."""

    def __init__(
        self,
        num_units: int,
        activation: Callable[[Any], Any] | None = None,
        reuse: Any = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = activation or tf.tanh
        self._kernel_initializer: Any = None
        self._bias_initializer: Any = None

    @property
    def state_size(self) -> Any:
        """The number of units."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """The number of units."""
        return self._num_units

    def _gates(self, depth: int, gates: int, names: tuple[str, str, str], bias: float = 0.0) -> tuple[Any, Any, Any]:
        """Creates the input kernel, the recurrent vector and the bias of `gates` gates."""
        columns = gates * self._num_units
        within = tf.random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype)
        kernel = self.add_variable(names[0], shape=[depth, columns], initializer=self._kernel_initializer)
        own = self.add_variable(names[1], shape=[1, columns], initializer=within)
        start = self._bias_initializer
        if start is None:
            start = tf.constant_initializer(bias, dtype=self.dtype) if bias else tf.zeros_initializer(dtype=self.dtype)
        return kernel, own, self.add_variable(names[2], shape=[columns], initializer=start)


def _depth(inputs_shape: Any) -> int:
    depth = inputs_shape.as_list()[1]
    if depth is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
    return depth


class IndRNNCell(_DiagonalCell):
    """A cell that computes `activation(inputs @ w + u * state + b)` (https://arxiv.org/abs/1803.04831).

    Args:
      num_units: int, size of state and output.
      activation: activation function; tanh if None.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
      name: string, name of the layer.
      dtype: dtype of the variables.
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype)

    def build(self, inputs_shape: Any) -> None:
        """Creates w, u and b."""
        self._variables = self._gates(_depth(inputs_shape), 1, ("kernel_w", "kernel_u", "bias"))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        w, u, b = self._variables
        output = self._activation(tf.nn.bias_add(tf.matmul(inputs, w) + state * u, b))
        return output, output


class IndyGRUCell(_DiagonalCell):
    """A GRU cell with diagonal recurrence.

    Args:
      num_units: int, size of state and output.
      activation: activation function of the candidate state; tanh if None.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
      kernel_initializer: initializer of the input kernels.
      bias_initializer: initializer of the biases; by default 1 for the gates and 0 for the candidate.
      name: string, name of the layer.
      dtype: dtype of the variables.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype)
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    def build(self, inputs_shape: Any) -> None:
        """Creates the variables of the gates and of the candidate."""
        depth = _depth(inputs_shape)
        self._of_gates = self._gates(depth, 2, ("gates/kernel_w", "gates/kernel_u", "gates/bias"), 1.0)
        names = ("candidate/kernel", "candidate/kernel_u", "candidate/bias")
        self._of_candidate = self._gates(depth, 1, names)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        w, u, b = self._of_gates
        gates = tf.sigmoid(tf.nn.bias_add(tf.matmul(inputs, w) + tf.tile(state, [1, 2]) * u, b))
        reset, update = tf.split(value=gates, num_or_size_splits=2, axis=1)
        kept = reset * state
        w, u, b = self._of_candidate
        candidate = self._activation(tf.nn.bias_add(tf.matmul(inputs, w) + kept * u, b))
        state = update * state + (1 - update) * candidate
        return state, state


class IndyLSTMCell(_DiagonalCell):
    """An LSTM cell with diagonal recurrence (https://arxiv.org/abs/1903.08023).

    Args:
      num_units: int, size of the output and of each state.
      forget_bias: float, added to the input of the forget gate.
      activation: activation function of the candidate and of the output; tanh if None.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
      kernel_initializer: initializer of the input kernel.
      bias_initializer: initializer of the bias; zeros if None.
      name: string, name of the layer.
      dtype: dtype of the variables.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        activation: Any = None,
        reuse: Any = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype)
        self._forget_bias = forget_bias
        self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    @property
    def state_size(self) -> Any:
        """The sizes of `c` and `h`."""
        return tf.nn.rnn_cell.LSTMStateTuple(self._num_units, self._num_units)

    def build(self, inputs_shape: Any) -> None:
        """Creates the kernels and the bias of all gates."""
        self._variables = self._gates(_depth(inputs_shape), 4, ("kernel_w", "kernel_u", "bias"))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        one = tf.constant(1)
        c, h = state
        w, u, b = self._variables
        gates = tf.matmul(inputs, w)
        gates += tf.tile(h, [1, 4]) * u
        i, j, f, o = tf.split(value=tf.nn.bias_add(gates, b), num_or_size_splits=4, axis=one)
        forget_bias = tf.constant(self._forget_bias, dtype=f.dtype)
        kept = tf.multiply(c, tf.sigmoid(tf.add(f, forget_bias)))
        c = tf.add(kept, tf.multiply(tf.sigmoid(i), self._activation(j)))
        h = tf.multiply(self._activation(c), tf.sigmoid(o))
        return h, tf.nn.rnn_cell.LSTMStateTuple(c, h)


class SRUCell(_DiagonalCell):
    """A simple recurrent unit, whose gates do not depend on the last output (https://arxiv.org/abs/1709.02755).

    The input must have the size of the output.

    Args:
      num_units: int, size of state and output.
      activation: activation function of the output; tanh if None.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
      name: string, name of the layer.
      **kwargs: further arguments of the layer.
    """

    def __init__(
        self, num_units: int, activation: Any = None, reuse: Any = None, name: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(num_units, activation, reuse, name, **kwargs)

    def build(self, inputs_shape: Any) -> None:
        """Creates kernel and bias."""
        self._kernel = self.add_variable("kernel", shape=[_depth(inputs_shape), 4 * self._num_units])
        self._bias = self.add_variable("bias", shape=[2 * self._num_units], initializer=tf.zeros_initializer)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        news, f, r, past = tf.split(value=tf.matmul(inputs, self._kernel), num_or_size_splits=4, axis=1)
        gates = tf.sigmoid(tf.nn.bias_add(tf.concat([f, r], 1), self._bias))
        f, r = tf.split(value=gates, num_or_size_splits=2, axis=1)
        state = f * state + (1.0 - f) * news
        return r * self._activation(state) + (1.0 - r) * past, state
