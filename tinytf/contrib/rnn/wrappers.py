"""Wrapper cells: embeddings, projections and highway connections."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.linear import Linear
from tinytf.python.ops.rnn_cell_impl import RNNCell, assert_like_rnncell


class _Wrapper(RNNCell):
    """A cell that wraps `cell` and has its state."""

    def __init__(self, cell: Any, reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        self._cell = cell

    @property
    def state_size(self) -> Any:
        """The state size of the wrapped cell."""
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        """The output size of the wrapped cell."""
        return self._cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the zero state of the wrapped cell."""
        with tf.name_scope(type(self).__name__ + "ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


class EmbeddingWrapper(_Wrapper):
    """Embeds integer inputs for the wrapped cell. Embedding a whole sequence before the network is faster.

    Args:
      cell: the wrapped cell.
      embedding_classes: int, number of symbols.
      embedding_size: int, size of the vectors.
      initializer: initializer of the vectors; if None, the one of the variable scope, else uniform with variance 1.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.

    Raises:
      ValueError: if a number is not positive.
    """

    def __init__(
        self, cell: Any, embedding_classes: int, embedding_size: int, initializer: Any = None, reuse: Any = None
    ) -> None:
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}."
            )
        self._shape = [embedding_classes, embedding_size]
        self._initializer = initializer

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        with tf.device("/cpu:0"):
            initializer = self._initializer or tf.get_variable_scope().initializer
            if not initializer:
                initializer = tf.random_uniform_initializer(-math.sqrt(3), math.sqrt(3))
            dtype = state[0].dtype if isinstance(state, tuple) else state.dtype
            vectors = tf.get_variable("embedding", self._shape, initializer=initializer, dtype=dtype)
            return self._cell(tf.nn.embedding_lookup(vectors, tf.reshape(inputs, [-1])), state)


class InputProjectionWrapper(_Wrapper):
    """Projects the inputs before the wrapped cell.

    Args:
      cell: the wrapped cell.
      num_proj: int, size of the projection.
      activation: activation function of the projection; none if None.
      input_size: deprecated and ignored.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
    """

    def __init__(
        self,
        cell: Any,
        num_proj: int,
        activation: Callable[[Any], Any] | None = None,
        input_size: Any = None,
        reuse: Any = None,
    ) -> None:
        super().__init__(cell, reuse)
        if input_size is not None:
            tf.logging.warn(f"{self}: The input_size parameter is deprecated.")
        self._num_proj = num_proj
        self._activation = activation
        self._linear: Linear | None = None

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        if self._linear is None:
            self._linear = Linear(inputs, self._num_proj)
        projected = self._linear(inputs)
        return self._cell(self._activation(projected) if self._activation else projected, state)


class OutputProjectionWrapper(_Wrapper):
    """Projects the outputs of the wrapped cell. Projecting a whole sequence after the network is faster.

    Args:
      cell: the wrapped cell.
      output_size: int, size of the projection.
      activation: activation function of the projection; none if None.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.

    Raises:
      ValueError: if `output_size` is not positive.
    """

    def __init__(
        self, cell: Any, output_size: int, activation: Callable[[Any], Any] | None = None, reuse: Any = None
    ) -> None:
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._output_size = output_size
        self._activation = activation
        self._linear: Linear | None = None

    @property
    def output_size(self) -> int:
        """The size of the projection."""
        return self._output_size

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step."""
        output, state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear(output, self._output_size)
        projected = self._linear(output)
        return self._activation(projected) if self._activation else projected, state


class HighwayWrapper(_Wrapper):
    """Adds a highway connection: gates mix the input with the output of the wrapped cell
    (https://arxiv.org/abs/1505.00387).

    Args:
      cell: the wrapped cell.
      couple_carry_transform_gates: bool, whether both gates add up to 1.
      carry_bias_init: float, initial bias of the carry gate, which weights the input.
    """

    def __init__(self, cell: Any, couple_carry_transform_gates: bool = True, carry_bias_init: float = 1.0) -> None:
        super().__init__(cell)
        self._couples = couple_carry_transform_gates
        self._carry_bias_init = carry_bias_init

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Returns output and next state.

        Raises ValueError or TypeError if inputs and outputs differ in structure or shape.
        """
        outputs, state = self._cell(inputs, state, scope=scope)
        tf.nest.assert_same_structure(inputs, outputs)
        tf.nest.map_structure(lambda x, y: x.shape.assert_is_compatible_with(y.shape), inputs, outputs)
        return tf.nest.map_structure(self._joined, inputs, outputs), state

    def _joined(self, x: Any, y: Any) -> Any:
        carry = self._gate("carry", x, self._carry_bias_init)
        transform = 1 - carry if self._couples else self._gate("transform", x, -self._carry_bias_init)
        return x * carry + y * transform

    def _gate(self, name: str, x: Any, bias: float) -> Any:
        size = x.shape.with_rank(2).as_list()[1]
        weights = tf.get_variable(f"{name}_w", [size, size])
        start = tf.constant_initializer(bias)
        return tf.sigmoid(tf.nn.xw_plus_b(x, weights, tf.get_variable(f"{name}_b", [size], initializer=start)))
