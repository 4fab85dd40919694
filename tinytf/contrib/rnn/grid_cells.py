"""`GridLSTMCell`: LSTMs along time and along frequency."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.grid_pieces import GridPieces
from tinytf.contrib.rnn.grid_weights import GridWeights, grid_diagonals
from tinytf.contrib.rnn.sharded import sharded_matrix
from tinytf.python.ops.rnn_cell_impl import RNNCell


def state_tuple(name: str, prefixes: list[str], blocks: list[int]) -> Any:
    """Returns a namedtuple class of states, with fields `c` and `m` for each piece of each block and each prefix."""
    ends = [
        f"f{i:02d}_b{block:02d}_{half}" for block, count in enumerate(blocks) for i in range(count) for half in "cm"
    ]
    fields = [f"{prefix}_{end}" for prefix in prefixes for end in ends]
    make: Any = namedtuple
    return make(name, fields)


class GridLSTMCell(RNNCell):
    """Two LSTMs, along frequency and along time (http://arxiv.org/abs/1507.01526).

    The input is split into pieces along frequency. One LSTM runs over the pieces, the other one over time; each gets
    the other's output.

    Args:
      num_units: int, size of each state and output of one piece.
      use_peepholes: bool, whether the gates read both cell states.
      share_time_frequency_weights: bool, whether both LSTMs share their variables.
      cell_clip: float, cell states are clipped to [-cell_clip, cell_clip]; no clipping if None.
      initializer: ignored.
      num_unit_shards: int, number of variables that each kernel is split into.
      forget_bias: float, added to the input of the forget gates.
      feature_size: int, size of a piece.
      frequency_skip: int, distance between the starts of neighboring pieces.
      num_frequency_blocks: list of ints, number of pieces of each block; required.
      start_freqindex_list: list of ints, first column of each block; without it the whole input is one block.
      end_freqindex_list: list of ints, end column of each block.
      couple_input_forget_gates: bool, whether the forget gate is 1 minus the input gate.
      state_is_tuple: bool, whether the state is a tuple instead of one tensor.
      reuse: True or `tf.AUTO_REUSE` to share existing variables of the scope.

    Raises:
      ValueError: if `num_frequency_blocks` is None.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int | None = None,
        num_frequency_blocks: list[int] | None = None,
        start_freqindex_list: list[int] | None = None,
        end_freqindex_list: list[int] | None = None,
        couple_input_forget_gates: bool = False,
        state_is_tuple: bool = True,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            tf.logging.warn(
                f"{self}: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True."
            )
        if num_frequency_blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._shares = share_time_frequency_weights
        self._couples = couple_input_forget_gates
        self._cell_clip = cell_clip
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._blocks = num_frequency_blocks
        self._total_blocks = sum(int(count) for count in num_frequency_blocks)
        self._pieces = GridPieces(
            feature_size, frequency_skip, num_frequency_blocks, start_freqindex_list, end_freqindex_list
        )
        self._state_tuple_type: Any = None
        if state_is_tuple:
            self._state_tuple_type = state_tuple("GridLSTMStateTuple", ["state"], num_frequency_blocks)

    @property
    def output_size(self) -> int:
        """The total size of the outputs of both LSTMs for all pieces."""
        return self._num_units * self._total_blocks * 2

    @property
    def state_size(self) -> Any:
        """The sizes of cell state and output of each piece, or their sum."""
        if self._state_tuple_type is None:
            return self._num_units * self._total_blocks * 2
        return self._state_tuple_type(*[self._num_units] * len(self._state_tuple_type._fields))

    @property
    def state_tuple_type(self) -> Any:
        """The namedtuple class of states; None if they are tensors."""
        return self._state_tuple_type

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step. Raises ValueError if the input size is unknown or does not match the blocks."""
        batch = inputs.shape[0].value or tf.shape(inputs)[0]
        outputs, states = self._along(self._pieces.of(inputs), state, batch, "state")
        of_tuple = self._state_tuple_type
        new_state = tf.concat(states, 1) if of_tuple is None else of_tuple(*states)
        return tf.concat(outputs, 1), new_state

    def _along(self, blocks: list[list[Any]], state: Any, batch: Any, prefix: str) -> tuple[list[Any], list[Any]]:
        """Returns outputs and states of all pieces of all blocks."""
        outputs: list[Any] = []
        states: list[Any] = []
        for block, pieces in enumerate(blocks):
            of_freq, of_time = self._weights(pieces[0], block)
            m_freq, c_freq = (tf.zeros([batch, self._num_units], pieces[0].dtype) for _ in range(2))
            for i, piece in enumerate(pieces):
                c_time, m_time = self._last(state, f"{prefix}_f{i:02d}_b{block:02d}", i)
                x = tf.concat([piece, m_time, m_freq], 1)
                c_freq, m_freq, c_time, m_time = self._step(x, of_freq, of_time, c_freq, c_time)
                outputs += [m_time, m_freq]
                states += [c_time, m_time]
        return outputs, states

    def _last(self, state: Any, name: str, piece: int) -> tuple[Any, Any]:
        """Returns the last cell state and output along time for a piece.

        Tensor states are read from their start for each block, as in TensorFlow.
        """
        if self._state_tuple_type is not None:
            return getattr(state, name + "_c"), getattr(state, name + "_m")
        units = self._num_units
        c, m = (tf.slice(state, [0, (2 * piece + half) * units], [-1, units]) for half in range(2))
        return c, m

    def _weights(self, piece: Any, block: int) -> tuple[GridWeights, GridWeights]:
        """Creates the variables of both LSTMs for a block."""
        units, dtype = self._num_units, piece.dtype
        columns = (3 if self._couples else 4) * units
        shape = [piece.shape.as_list()[1] + 2 * units, columns]
        both = []
        for along in "f" if self._shares else "ft":
            kernel = sharded_matrix(f"W_{along}_{block}", shape, dtype, self._num_unit_shards)
            bias = tf.get_variable(f"B_{along}_{block}", [columns], dtype=dtype, initializer=tf.zeros_initializer())
            both.append(GridWeights(kernel, bias, {}))
        if self._use_peepholes:
            for weights, along in zip(both, ("freq", "time"), strict=False):
                weights.diagonals = grid_diagonals(along, block, "IO" if self._couples else "FIO", units, dtype)
        return both[0], both[-1]

    def _step(self, x: Any, of_freq: GridWeights, of_time: GridWeights, c_freq: Any, c_time: Any) -> Any:
        """Returns cell states and outputs of both LSTMs for one piece."""
        count = 3 if self._couples else 4
        freq = of_freq.gates(x, count)
        time = freq if self._shares else of_time.gates(x, count)
        seen = c_freq, c_time
        c_freq, c_time = (
            self._remembered(weights, gates, seen, c)
            for weights, gates, c in ((of_freq, freq, c_freq), (of_time, time, c_time))
        )
        m_freq = of_freq.gate("O", freq[3], c_freq, c_time) * tf.tanh(c_freq)
        m_time = of_time.gate("O", time[3], c_freq, c_time) * tf.tanh(c_time)
        return c_freq, m_freq, c_time, m_time

    def _remembered(self, weights: GridWeights, gates: list[Any], seen: tuple[Any, Any], c: Any) -> Any:
        i, j, f, _ = gates
        i = weights.gate("I", i, *seen)
        f = 1.0 - i if self._couples else weights.gate("F", f + self._forget_bias, *seen)
        c = f * c + i * tf.tanh(j)
        return c if self._cell_clip is None else tf.clip_by_value(c, -self._cell_clip, self._cell_clip)
