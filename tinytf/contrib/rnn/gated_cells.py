"""Cells with other gates: UGRNN, intersection RNN and NAS cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.linear import Linear
from tinytf.python.ops.rnn_cell_impl import LayerRNNCell, RNNCell


class UGRNNCell(RNNCell):
    """A cell with one gate, which weights the old state against the candidate (https://arxiv.org/abs/1611.09913).

    Args:
      num_units: int, size of state and output.
      initializer: initializer of the variables.
      forget_bias: float, added to the input of the gate.
      activation: activation function of the candidate.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
    """

    def __init__(
        self,
        num_units: int,
        initializer: Any = None,
        forget_bias: float = 1.0,
        activation: Callable[[Any], Any] = tf.tanh,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._activation = activation
        self._linear: Linear | None = None

    @property
    def state_size(self) -> int:
        """The number of units."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """The number of units."""
        return self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step. Raises ValueError if the input size is unknown."""
        _known_width(inputs)
        with tf.variable_scope(tf.get_variable_scope(), initializer=self._initializer):
            joined = tf.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(joined, 2 * self._num_units)
            gate, fresh = tf.split(axis=1, num_or_size_splits=2, value=self._linear(joined))
            fresh = self._activation(fresh)
            gate = tf.sigmoid(gate + self._forget_bias)
            state = gate * state + (1.0 - gate) * fresh
        return state, state


class IntersectionRNNCell(RNNCell):
    """A cell with one gate along time, for the state, and one along depth, for the output
    (https://arxiv.org/abs/1611.09913).

    Args:
      num_units: int, size of input, state and output.
      num_in_proj: int; if set, inputs of another size are projected to `num_units`. Otherwise they raise ValueError.
      initializer: initializer of the variables.
      forget_bias: float, added to the inputs of the gates.
      y_activation: activation function of the output candidate.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
    """

    def __init__(
        self,
        num_units: int,
        num_in_proj: int | None = None,
        initializer: Any = None,
        forget_bias: float = 1.0,
        y_activation: Callable[[Any], Any] = tf.nn.relu,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._projects = num_in_proj
        self._y_activation = y_activation
        self._linear1: Linear | None = None
        self._linear2: Linear | None = None

    @property
    def state_size(self) -> int:
        """The number of units."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """The number of units."""
        return self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        n = self._num_units
        with tf.variable_scope(tf.get_variable_scope(), initializer=self._initializer):
            if _known_width(inputs) != n:
                inputs = self._projected(inputs)
            joined = tf.concat([inputs, state], 1)
            if self._linear2 is None:
                self._linear2 = Linear(joined, 4 * n)
            parts = self._linear2(joined)
            in_time, h, in_depth, y = (parts[:, k * n : (k + 1) * n] if k else parts[:, :n] for k in range(4))
            h, y = tf.tanh(h), self._y_activation(y)
            in_time, in_depth = (tf.sigmoid(gate + self._forget_bias) for gate in (in_time, in_depth))
            state = in_time * state + (1.0 - in_time) * h
            output = in_depth * inputs + (1.0 - in_depth) * y
        return output, state

    def _projected(self, inputs: Any) -> Any:
        if not self._projects:
            raise ValueError(
                "Must have input size == output size for Intersection RNN. To fix, num_in_proj should be set to "
                "num_units at cell init."
            )
        with tf.variable_scope("in_projection"):
            if self._linear1 is None:
                self._linear1 = Linear(inputs, self._num_units)
            return self._linear1(inputs)


class NASCell(LayerRNNCell):
    """A cell found by neural architecture search (https://arxiv.org/abs/1611.01578).

    Args:
      num_units: int, size of the cell state.
      num_proj: int, size that the output is projected to; no projection if None.
      use_bias: bool, whether a bias is added.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
      **kwargs: further arguments of the layer.
    """

    def __init__(
        self, num_units: int, num_proj: int | None = None, use_bias: bool = False, reuse: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units = num_units
        self._num_proj = num_proj
        self._use_bias = use_bias
        self._output_size = num_units if num_proj is None else num_proj

    @property
    def state_size(self) -> Any:
        """The sizes of cell state and output."""
        return tf.nn.rnn_cell.LSTMStateTuple(self._num_units, self._output_size)

    @property
    def output_size(self) -> int:
        """The size of the projection, or the number of units."""
        return self._output_size

    def build(self, inputs_shape: Any) -> None:
        """Creates the variables, which are attributes. Raises ValueError if the input size is unknown."""
        depth = tf.TensorShape(inputs_shape).with_rank(2).as_list()[1]
        if depth is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        columns = 8 * self._num_units
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [self._output_size, columns])
        self.kernel = self.add_variable("kernel", [depth, columns])
        if self._use_bias:
            self.bias = self.add_variable("bias", shape=[columns], initializer=tf.zeros_initializer)
        if self._num_proj is not None:
            self.projection_weights = self.add_variable("projection_weights", [self._num_units, self._num_proj])
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        sigmoid, tanh, relu = tf.sigmoid, tf.tanh, tf.nn.relu
        c, m = state
        m = tf.matmul(m, self.recurrent_kernel)
        x = tf.matmul(inputs, self.kernel)
        if self._use_bias:
            m = tf.nn.bias_add(m, self.bias)
        ms = tf.split(axis=1, num_or_size_splits=8, value=m)
        xs = tf.split(axis=1, num_or_size_splits=8, value=x)
        functions = (sigmoid, relu, sigmoid, relu, tanh, sigmoid, tanh, sigmoid)
        leaves = [f(x * m if k == 3 else x + m) for k, (f, x, m) in enumerate(zip(functions, xs, ms, strict=True))]
        first = tanh(leaves[0] * leaves[1])
        second = tanh(leaves[2] + leaves[3])
        third = tanh(leaves[4] * leaves[5])
        fourth = sigmoid(leaves[6] + leaves[7])
        c = tanh(first + c) * second
        m = tanh(c * tanh(third + fourth))
        if self._num_proj is not None:
            m = tf.matmul(m, self.projection_weights)
        return m, tf.nn.rnn_cell.LSTMStateTuple(c, m)


def _known_width(inputs: Any) -> int:
    width = inputs.shape.with_rank(2).as_list()[1]
    if width is None:
        raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
    return width
