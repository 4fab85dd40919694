"""Splits inputs of grid LSTMs into blocks of columns, and blocks into pieces that may overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.time_frequency_cell import known_columns, windows


@dataclass(frozen=True)
class GridPieces:
    """The parameters of the split, see `GridLSTMCell`."""

    size: Any
    skip: Any
    counts: list[int]
    starts: list[int] | None
    ends: list[int] | None

    def of(self, inputs: Any, offset: int = 0) -> list[list[Any]]:
        """Returns the pieces of each block, shifted by `offset` columns; columns outside the input are zero.

        Raises ValueError if the input size is unknown or does not match the parameters.
        """
        columns = known_columns(inputs)
        if offset:
            # Padding at one end keeps the starts of the pieces in range.
            padding = [0, 0, 0, offset] if offset > 0 else [0, 0, -offset, 0]
            inputs = tf.pad(inputs, tf.constant(padding, shape=[2, 2], dtype=tf.int32), "CONSTANT")
        blocks = self._blocks(columns)
        made = []
        for wanted, (start, end) in zip(self.counts, blocks, strict=True):
            count = int((end - start - self.size) / self.skip) + 1
            if count != wanted:
                raise ValueError(
                    f"Invalid num_frequency_blocks, requires {wanted} but gets {count}, please"
                    " check the input size and filter config are correct."
                )
            made.append(windows(inputs, start + max(offset, 0), count, self.size, self.skip))
        return made

    def _blocks(self, columns: int) -> list[tuple[int, int]]:
        """Returns start and end column of each block."""
        if not self.starts:
            if len(self.counts) != 1:
                raise ValueError(f"Length of num_frequency_blocks is not 1, but instead is {len(self.counts)}")
            return [(0, columns)]
        ends: Any = self.ends
        # As in TensorFlow, the numbers of these two errors are separate arguments.
        if len(self.starts) != len(ends):
            text = "Length of start and end freqindex_list does not match %d %d"
            raise ValueError(text, len(self.starts), len(ends))
        if len(self.counts) != len(self.starts):
            text = "Length of num_frequency_blocks is not equal to start_freqindex_list %d %d"
            raise ValueError(text, len(self.counts), len(self.starts))
        return list(zip(self.starts, ends, strict=True))
