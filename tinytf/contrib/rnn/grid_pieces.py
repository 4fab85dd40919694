"""How inputs of grids of LSTMs are divided: into blocks of columns, and those into pieces that may overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import tinytf as tf
from tinytf.contrib.rnn.time_frequency_cell import known_columns, windows


@dataclass(frozen=True)
class GridPieces:
    """What a cell was told of them; see `GridLSTMCell`."""

    size: Any
    skip: Any
    counts: list[int]
    starts: list[int] | None
    ends: list[int] | None

    def of(self, inputs: Any, offset: int = 0) -> list[list[Any]]:
        """The pieces of each block, from `offset` columns later on: zeros are where inputs are not. ValueError if the input's
        size is not known, or does not fit what the cell was told."""
        columns = known_columns(inputs)
        if offset:
            # Zeros behind, or in front; then no piece begins elsewhere.
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
        """First column and end of each block."""
        if not self.starts:
            if len(self.counts) != 1:
                raise ValueError(f"Length of num_frequency_blocks is not 1, but instead is {len(self.counts)}")
            return [(0, columns)]
        ends: Any = self.ends
        # TensorFlow leaves numbers and text of these two errors apart.
        if len(self.starts) != len(ends):
            text = "Length of start and end freqindex_list does not match %d %d"
            raise ValueError(text, len(self.starts), len(ends))
        if len(self.counts) != len(self.starts):
            text = "Length of num_frequency_blocks is not equal to start_freqindex_list %d %d"
            raise ValueError(text, len(self.counts), len(self.starts))
        return list(zip(self.starts, ends, strict=True))
