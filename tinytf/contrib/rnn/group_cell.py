"""`GLSTMCell`: an LSTM of independent groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.linear import Linear
from tinytf.python.ops.rnn_cell_impl import RNNCell


class GLSTMCell(RNNCell):
    """An LSTM cell with independent groups of units (http://arxiv.org/abs/1703.10722).

    Each group sees only its part of the input and of the last output.

    Args:
      num_units: int, size of the cell state.
      initializer: initializer of the kernels.
      num_proj: int, size that the output is projected to; no projection if None.
      number_of_groups: int, number of groups.
      forget_bias: float, added to the input of the forget gate.
      activation: activation function of the cell state.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.

    Raises:
      ValueError: if `number_of_groups` does not divide `num_units` and `num_proj`.
    """

    def __init__(
        self,
        num_units: int,
        initializer: Any = None,
        num_proj: int | None = None,
        number_of_groups: int = 1,
        forget_bias: float = 1.0,
        activation: Callable[[Any], Any] = tf.tanh,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if num_units % number_of_groups:
            raise ValueError("num_units must be divisible by number_of_groups")
        if num_proj and num_proj % number_of_groups:
            raise ValueError("num_proj must be divisible by number_of_groups")
        self._num_units = num_units
        self._initializer = initializer
        self._num_proj = num_proj
        self._groups = number_of_groups
        self._forget_bias = forget_bias
        self._activation = activation
        self._linear: dict[str, Linear] = {}

    @property
    def state_size(self) -> Any:
        """The sizes of cell state and output."""
        return tf.nn.rnn_cell.LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self) -> int:
        """The size of the projection, or the number of units."""
        return self._num_proj or self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step. Raises ValueError if the input size is unknown or not divisible by the number
        of groups."""
        c, m = state
        i, j, f, o = self._gates(inputs, m)
        c = tf.sigmoid(f + self._forget_bias) * c + tf.sigmoid(i) * tf.tanh(j)
        m = tf.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with tf.variable_scope("projection"):
                m = self._mapped("projection", m, self._num_proj)
        return m, tf.nn.rnn_cell.LSTMStateTuple(c, m)

    def _gates(self, inputs: Any, m: Any) -> list[Any]:
        """Returns the gate inputs of all groups."""
        batch = inputs.shape[0].value or tf.shape(inputs)[0]
        depth, groups = inputs.shape[1].value, self._groups
        if depth is None:
            raise ValueError("input size must be statically known")
        if depth % groups:
            raise ValueError(f"input size ({depth}) must be divisible by number_of_groups ({groups})")
        parts = []
        with tf.variable_scope(tf.get_variable_scope(), initializer=self._initializer):
            for group in range(groups):
                with tf.variable_scope(f"group{group}"):
                    seen = [
                        _part(whole, group, size, batch)
                        for whole, size in ((inputs, depth // groups), (m, self.output_size // groups))
                    ]
                    x = tf.concat(seen, axis=1)
                    parts.append(tf.split(self._mapped(f"group{group}", x, 4 * self._num_units // groups), 4, 1))
            start = tf.constant_initializer(0.0, dtype=inputs.dtype)
            biases = [
                tf.get_variable(f"bias_{gate}", [self._num_units], dtype=inputs.dtype, initializer=start)
                for gate in "ijfo"
            ]
            return [
                tf.nn.bias_add(tf.concat(list(of_groups), axis=1), bias)
                for of_groups, bias in zip(zip(*parts, strict=True), biases, strict=True)
            ]

    def _mapped(self, name: str, x: Any, size: int) -> Any:
        if name not in self._linear:
            self._linear[name] = Linear(x, size, bias=False)
        return self._linear[name](x)


def _part(whole: Any, group: int, size: int, batch: Any) -> Any:
    """Returns the columns of a group."""
    name = f"GLSTM_group{group}_input_generation"
    return tf.slice(whole, [0, group * size], [batch, size], name=name)
