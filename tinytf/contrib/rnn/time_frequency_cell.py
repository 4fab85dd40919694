"""`TimeFreqLSTMCell`: an LSTM along time and along the frequencies of its input."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.sharded import sharded_matrix
from tinytf.python.ops.rnn_cell_impl import RNNCell


def windows(inputs: Any, first: int, count: int, size: int, skip: int) -> list[Any]:
    """Returns `count` slices of `size` columns; the first starts at column `first`, the next ones `skip` columns
    further on."""
    return [tf.slice(inputs, [0, first + i * skip], [-1, size]) for i in range(count)]


def known_columns(inputs: Any) -> int:
    """Returns the number of columns of a matrix. Raises ValueError if it is unknown or the rank is not 2."""
    columns = inputs.shape.with_rank(2).as_list()[-1]
    if columns is None:
        raise ValueError("Cannot infer input_size from static shape inference.")
    return columns


class TimeFreqLSTMCell(RNNCell):
    """An LSTM cell that runs over pieces of its input.

    Each piece has its own state. The LSTM gets the last output of its piece and this step's output of the preceding
    piece.

    Args:
      num_units: int, size of the output and of each state of one piece.
      use_peepholes: bool, whether the gates read the cell state.
      cell_clip: float, the cell state is clipped to [-cell_clip, cell_clip]; no clipping if None.
      initializer: ignored.
      num_unit_shards: int, number of variables that the kernel is split into.
      forget_bias: float, added to the input of the forget gate.
      feature_size: int, size of a piece.
      frequency_skip: int, distance between the starts of neighboring pieces.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int = 1,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size: Any = feature_size
        self._frequency_skip = frequency_skip

    @property
    def output_size(self) -> int:
        """The number of units; as in TensorFlow, of one piece only."""
        return self._num_units

    @property
    def state_size(self) -> int:
        """The size of both states; as in TensorFlow, of one piece only."""
        return 2 * self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step. The new state has the columns `c`, `m` of each piece. Raises ValueError if the input size
        is unknown."""
        units, skip = self._num_units, self._frequency_skip
        count = int((known_columns(inputs) - self._feature_size) / skip) + 1
        pieces = windows(inputs, 0, count, self._feature_size, skip)
        rows = pieces[0].shape.as_list()[1] + 2 * units
        kernel = sharded_matrix("W", [rows, 4 * units], inputs.dtype, self._num_unit_shards)
        bias = tf.get_variable("B", [4 * units], dtype=inputs.dtype, initializer=tf.zeros_initializer())
        diagonals = {
            gate: tf.get_variable(f"W_{gate}_diag", [units], dtype=inputs.dtype)
            for gate in ("FIO" if self._use_peepholes else "")
        }
        before = tf.zeros([inputs.shape[0].value or inputs.shape[0], units], inputs.dtype)
        outputs = states = None
        for i, piece in enumerate(pieces):
            c, m = (tf.slice(state, [0, (2 * i + half) * units], [-1, units]) for half in range(2))
            gates = tf.nn.bias_add(tf.matmul(tf.concat([piece, m, before], 1), kernel), bias)
            c, m = self._step(tf.split(value=gates, num_or_size_splits=4, axis=1), c, diagonals)
            before = m
            # Concatenated piece by piece, as in TensorFlow's graph.
            states = tf.concat([c, m] if states is None else [states, c, m], 1)
            outputs = m if outputs is None else tf.concat([outputs, m], 1)
        return outputs, states

    def _step(self, gates: list[Any], c: Any, diagonals: dict[str, Any]) -> tuple[Any, Any]:
        """Returns cell state and output for one piece."""
        i, j, f, o = gates

        def seen(x: Any, gate: str, c: Any) -> Any:
            return tf.sigmoid(x + diagonals[gate] * c if diagonals else x)

        c = seen(f + self._forget_bias, "F", c) * c + seen(i, "I", c) * tf.tanh(j)
        if self._cell_clip is not None:
            c = tf.clip_by_value(c, -self._cell_clip, self._cell_clip)
        return c, seen(o, "O", c) * tf.tanh(c)
