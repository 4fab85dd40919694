"""The methods of datasets that call functions of their elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.data.base import DatasetBase
from tinytf._src.data.folds import folded_dataset
from tinytf._src.data.kinds.batches import elements_of_batches
from tinytf._src.data.kinds.flat_maps import FlatMapDataset, InterleaveDataset, ParallelInterleaveDataset
from tinytf._src.data.kinds.maps import FilterDataset, MapDataset, ParallelMapDataset
from tinytf._src.data.reduction import reduced
from tinytf._src.exports import tf_export

AUTOTUNE = -1
INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2

tf_export("data.experimental.*").constants(__name__, "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY")


class FunctionMethods(DatasetBase):
    """Methods that call functions."""

    _keeps_cardinality = True  # whether maps tell the engine that they have as many elements as their input

    def _made(self, dataset: DatasetBase) -> Any:
        """Returns a dataset with the methods of users that has the elements of the given one."""
        raise NotImplementedError

    def map(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Any:
        """Calls a function for each element.

        Args:
          map_func: takes an element, or the components of a tuple as several arguments; returns a nested structure of
            tensors. It is traced into a graph once.
          num_parallel_calls: int or tensor, how many calls may run at once; `tf.data.experimental.AUTOTUNE` lets the
            engine choose; None means one after the other. The order of the elements is kept.

        Returns:
          Dataset of the results.

        Raises:
          TypeError: if the function returns something else than tensors.
        """
        keeps = self._keeps_cardinality
        if num_parallel_calls is None:
            return self._made(MapDataset(self, map_func, preserve_cardinality=keeps))
        return self._made(ParallelMapDataset(self, map_func, num_parallel_calls, preserve_cardinality=keeps))

    def flat_map(self, map_func: Callable[..., Any]) -> Any:
        """Calls a function for each element and puts the datasets that it returns one after the other.

        Args:
          map_func: takes an element as in `map`; returns a dataset.

        Returns:
          Dataset.

        Raises:
          TypeError: if the function returns something else than a dataset.
        """
        return self._made(FlatMapDataset(self, map_func))

    def interleave(
        self,
        map_func: Callable[..., Any],
        cycle_length: Any = AUTOTUNE,
        block_length: Any = 1,
        num_parallel_calls: Any = None,
    ) -> Any:
        """Calls a function for each element and interleaves the datasets that it returns.

        Args:
          map_func: takes an element as in `map`; returns a dataset.
          cycle_length: int or tensor, how many datasets are interleaved at a time; AUTOTUNE means one per processor.
          block_length: int or tensor, how many elements of one dataset follow each other.
          num_parallel_calls: int or tensor, how many datasets are read at once; AUTOTUNE lets the engine choose; None
            means one. The order of elements does not depend on it.

        Returns:
          Dataset.

        Raises:
          TypeError: if the function returns something else than a dataset.
        """
        if num_parallel_calls is None:
            return self._made(InterleaveDataset(self, map_func, cycle_length, block_length))
        return self._made(ParallelInterleaveDataset(self, map_func, cycle_length, block_length, num_parallel_calls))

    def filter(self, predicate: Callable[..., Any]) -> Any:
        """Keeps the elements for which a function is true.

        Args:
          predicate: takes an element as in `map`; returns a scalar bool tensor.

        Returns:
          Dataset.

        Raises:
          ValueError: if the function returns something else.
        """
        return self._made(FilterDataset(self, predicate))

    def apply(self, transformation_func: Callable[[Any], Any]) -> Any:
        """Calls a function with this dataset.

        Args:
          transformation_func: takes a dataset and returns one, such as the functions in `tf.data.experimental`.

        Returns:
          The function's result.

        Raises:
          TypeError: if that is not a dataset.
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, DatasetBase):
            raise TypeError(f"`transformation_func` must return a Dataset. Got {dataset}.")
        return dataset

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
        """Computes a value from all elements.

        Args:
          initial_state: nested structure of tensors.
          reduce_func: takes a state and an element; returns the next state.

        Returns:
          Nested structure of tensors, the last state.

        Raises:
          TypeError: if the function returns a state of other types.
        """
        return reduced(self, initial_state, reduce_func)

    _fold_keeps_shapes = False

    def _fold(self, start: Any, step: Callable[..., Any], goes_on: Callable[..., Any] | None) -> Any:
        """See `Foldable` of AutoGraph, which builds loops over datasets with it."""
        return folded_dataset(self, start, step, goes_on)

    def unbatch(self) -> Any:
        """The elements of batches: slices along the first dimension.

        Returns:
          Dataset.

        Raises:
          ValueError: if a component is a scalar, or if the first dimensions differ.
        """
        return self._made(elements_of_batches(self, self.map))
