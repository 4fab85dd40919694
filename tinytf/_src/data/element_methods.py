"""The methods of datasets that order, join or keep their elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._src.data.function_methods import FunctionMethods
from tinytf._src.data.kinds.batches import BatchDataset, WindowDataset
from tinytf._src.data.kinds.buffers import CacheDataset, PrefetchDataset, ShuffleDataset
from tinytf._src.data.kinds.engine_options import OptionsDataset
from tinytf._src.data.kinds.padded_batch import PaddedBatchDataset
from tinytf._src.data.kinds.parts import RepeatDataset, ShardDataset, SkipDataset, TakeDataset
from tinytf._src.data.kinds.several import ConcatenateDataset, ZipDataset
from tinytf._src.data.kinds.tensors import RangeDataset

_LARGEST = np.iinfo(np.int64).max


class ElementMethods(FunctionMethods):
    """Methods that call no functions."""

    # -- Order and number of elements --------------------------------------------------------------------------------

    def concatenate(self, dataset: Any) -> Any:
        """The elements of this dataset, then those of another.

        Args:
          dataset: Dataset with elements of the same types.

        Returns:
          Dataset.

        Raises:
          TypeError: if the types differ.
        """
        return self._made(ConcatenateDataset(self, dataset))

    def repeat(self, count: Any = None) -> Any:
        """The elements several times.

        Args:
          count: int or int64 tensor; None or -1 means without end.

        Returns:
          Dataset.
        """
        return self._made(RepeatDataset(self, count))

    def enumerate(self, start: Any = 0) -> Any:
        """Pairs (number, element).

        Args:
          start: int or int64 tensor, the first number.

        Returns:
          Dataset.
        """
        numbers = RangeDataset(start, _LARGEST)
        return self._made(ZipDataset((numbers, self)))

    def shuffle(self, buffer_size: Any, seed: Any = None, reshuffle_each_iteration: bool | None = None) -> Any:
        """The elements in random order: each is drawn from the next `buffer_size` ones.

        Args:
          buffer_size: int or int64 tensor.
          seed: int or int64 tensor; None means the graph-level seed, if there is one.
          reshuffle_each_iteration: bool, whether each iteration has another order; None means True.

        Returns:
          Dataset.
        """
        return self._made(ShuffleDataset(self, buffer_size, seed, reshuffle_each_iteration))

    def take(self, count: Any) -> Any:
        """The first elements.

        Args:
          count: int or int64 tensor; -1 means all.

        Returns:
          Dataset.
        """
        return self._made(TakeDataset(self, count))

    def skip(self, count: Any) -> Any:
        """The elements after the first ones.

        Args:
          count: int or int64 tensor; -1 skips all.

        Returns:
          Dataset.
        """
        return self._made(SkipDataset(self, count))

    def shard(self, num_shards: Any, index: Any) -> Any:
        """Every `num_shards`th element, from number `index` on.

        Args:
          num_shards: int or int64 tensor.
          index: int or int64 tensor, less than `num_shards`.

        Returns:
          Dataset.
        """
        return self._made(ShardDataset(self, num_shards, index))

    # -- Batches -----------------------------------------------------------------------------------------------------

    def batch(self, batch_size: Any, drop_remainder: Any = False) -> Any:
        """Joins successive elements along a new first dimension.

        Args:
          batch_size: int or int64 tensor.
          drop_remainder: bool or bool tensor, whether a smaller batch at the end is left out.

        Returns:
          Dataset.
        """
        return self._made(BatchDataset(self, batch_size, drop_remainder))

    def padded_batch(
        self, batch_size: Any, padded_shapes: Any, padding_values: Any = None, drop_remainder: Any = False
    ) -> Any:
        """Pads elements to a common shape and joins them.

        Args:
          batch_size: int or int64 tensor.
          padded_shapes: nested structure of shapes or int64 vectors; None and -1 mean the largest size in the batch.
          padding_values: nested structure of scalars; None means zeros and empty strings.
          drop_remainder: bool or bool tensor, whether a smaller batch at the end is left out.

        Returns:
          Dataset.

        Raises:
          TypeError: for sparse elements, and for padding values of other types.
          ValueError: if elements do not fit into the shapes.
        """
        return self._made(PaddedBatchDataset(self, batch_size, padded_shapes, padding_values, drop_remainder))

    def window(self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: Any = False) -> Any:
        """Groups successive elements: each component of a window is a dataset.

        Args:
          size: int or int64 tensor, the number of elements of a window.
          shift: int or int64 tensor, how many elements later the next window begins; None means `size`.
          stride: int or int64 tensor, the distance of elements of a window.
          drop_remainder: bool or bool tensor, whether smaller windows at the end are left out.

        Returns:
          Dataset.
        """
        return self._made(WindowDataset(self, size, size if shift is None else shift, stride, drop_remainder))

    # -- Running -----------------------------------------------------------------------------------------------------

    def cache(self, filename: Any = "") -> Any:
        """Keeps the elements of the first iteration for later ones.

        Args:
          filename: string or string tensor, prefix of the names of files; empty: in memory.

        Returns:
          Dataset.
        """
        return self._made(CacheDataset(self, filename))

    def prefetch(self, buffer_size: Any) -> Any:
        """Makes elements ready before they are asked for.

        Args:
          buffer_size: int or int64 tensor, how many; AUTOTUNE lets the engine choose.

        Returns:
          Dataset.
        """
        return self._made(PrefetchDataset(self, buffer_size))

    def with_options(self, options: Any) -> Any:
        """Sets options, beside those that were set before.

        Args:
          options: `tf.data.Options`.

        Returns:
          Dataset.

        Raises:
          ValueError: if an option was set to another value before.
        """
        return self._made(OptionsDataset(self, options))
