"""Cyclic batches of rows of NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tinytf._src.framework.errors import errors_impl


class Feeder:
    """Generates the values of placeholders, batch by batch: rows of arrays of the same length. For one thread.

    Args:
      placeholders: one for each array.
      arrays: NumPy arrays with at least one row.
      batch_size: int, rows in a batch; the last batch may have fewer.
      start: int, index of the first row.
      num_epochs: int, how often each row is given; None: indefinitely.
    """

    def __init__(
        self, placeholders: Sequence[Any], arrays: Sequence[Any], batch_size: int, start: int, num_epochs: int | None
    ) -> None:
        self.placeholders = placeholders
        self._arrays = arrays
        self._rows = len(arrays[0])
        self._offsets = np.arange(batch_size)
        self._next = start
        self._last = (start - 1) % self._rows  # last row of an epoch
        self._epochs = 0
        self._num_epochs = num_epochs

    def next_batch(self) -> list[Any]:
        """Returns a value for each placeholder. OutOfRangeError after the last batch."""
        rows = self._next_rows()
        self._next = int(rows[-1] + 1) % self._rows
        return [array[rows] for array in self._arrays]

    def _next_rows(self) -> Any:
        if self._num_epochs is not None and self._epochs >= self._num_epochs:
            raise errors_impl.OutOfRangeError(None, None, f"Already emitted {self._epochs} epochs.")
        rows = (self._next + self._offsets) % self._rows
        ends = np.flatnonzero(rows == self._last)
        self._epochs += len(ends)
        if self._num_epochs is not None and self._epochs >= self._num_epochs:
            rows = rows[: ends[self._num_epochs - self._epochs - 1] + 1]
            self._epochs = self._num_epochs
        return rows
