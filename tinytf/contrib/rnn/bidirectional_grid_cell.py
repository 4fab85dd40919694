"""`BidirectionalGridLSTMCell`: grid LSTMs in both directions of frequency."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.grid_cells import GridLSTMCell, state_tuple


class BidirectionalGridLSTMCell(GridLSTMCell):
    """Two grid LSTMs with separate variables and states, over the pieces of each block in forward and in backward
    order.

    The arguments are as in `GridLSTMCell`, except that the state is always a tuple.

    Args:
      backward_slice_offset: int, number of columns by which the pieces of the backward grid are shifted.
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
        backward_slice_offset: int = 0,
        reuse: Any = None,
    ) -> None:
        super().__init__(
            num_units,
            use_peepholes,
            share_time_frequency_weights,
            cell_clip,
            initializer,
            num_unit_shards,
            forget_bias,
            feature_size,
            frequency_skip,
            num_frequency_blocks,
            start_freqindex_list,
            end_freqindex_list,
            couple_input_forget_gates,
            True,
            reuse,
        )
        self._offset = int(backward_slice_offset)
        prefixes = ["fwd_state", "bwd_state"]
        self._state_tuple_type = state_tuple("BidirectionalGridLSTMStateTuple", prefixes, self._blocks)

    @property
    def output_size(self) -> int:
        """The total size of the outputs of both grids."""
        return 2 * super().output_size

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step. Raises ValueError if the input size is unknown or does not match the blocks."""
        batch = inputs.shape[0].value or tf.shape(inputs)[0]
        forward = self._pieces.of(inputs)
        backward = self._pieces.of(inputs, self._offset) if self._offset else forward
        with tf.variable_scope("fwd"):
            outputs, states = self._along(forward, state, batch, "fwd_state")
        with tf.variable_scope("bwd"):
            backward = [pieces[::-1] for pieces in backward]
            outputs_back, states_back = self._along(backward, state, batch, "bwd_state")
        new_state = self._state_tuple_type(*states, *states_back)
        return tf.concat(outputs + outputs_back, 1), new_state
