"""Transformations that call functions of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.util.deprecation import deprecated

_Function = Callable[..., Any]
_Transformation = Callable[[Any], Any]


class Reducer(tf.data.experimental.Reducer):
    """See `tf.data.experimental.Reducer`."""

    @deprecated(None, "Use `tf.data.experimental.Reducer(...)`.")
    def __init__(self, init_func: _Function, reduce_func: _Function, finalize_func: _Function) -> None:
        super().__init__(init_func, reduce_func, finalize_func)


@deprecated(None, "Use `tf.data.experimental.group_by_reducer(...)`.")
def group_by_reducer(key_func: _Function, reducer: Any) -> _Transformation:
    """See `tf.data.experimental.group_by_reducer`."""
    return tf.data.experimental.group_by_reducer(key_func, reducer)


@deprecated(None, "Use `tf.data.experimental.group_by_window(...)`.")
def group_by_window(
    key_func: _Function, reduce_func: _Function, window_size: Any = None, window_size_func: _Function | None = None
) -> _Transformation:
    """See `tf.data.experimental.group_by_window`."""
    return tf.data.experimental.group_by_window(key_func, reduce_func, window_size, window_size_func)


@deprecated(None, "Use `tf.data.experimental.bucket_by_sequence_length(...)`.")
def bucket_by_sequence_length(
    element_length_func: _Function,
    bucket_boundaries: list[int],
    bucket_batch_sizes: list[int],
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
) -> _Transformation:
    """See `tf.data.experimental.bucket_by_sequence_length`."""
    return tf.data.experimental.bucket_by_sequence_length(
        element_length_func,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes,
        padding_values,
        pad_to_bucket_boundary,
        no_padding,
    )


@deprecated(None, "Use `tf.data.experimental.parallel_interleave(...)`.")
def parallel_interleave(
    map_func: _Function,
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: Any = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> _Transformation:
    """See `tf.data.experimental.parallel_interleave`."""
    return tf.data.experimental.parallel_interleave(
        map_func, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements
    )


@deprecated(None, "Use `tf.contrib.data.parallel_interleave(..., sloppy=True)`.")
def sloppy_interleave(map_func: _Function, cycle_length: Any, block_length: Any = 1) -> _Transformation:
    """Calls a function for each element and interleaves the datasets that it returns, in an order that varies.

    Args:
      map_func: as in `tf.data.experimental.parallel_interleave`.
      cycle_length: as there.
      block_length: as there.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """
    return tf.data.experimental.parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


@deprecated(None, "Use `tf.data.experimental.sample_from_datasets(...)`.")
def sample_from_datasets(datasets: Any, weights: Any = None, seed: Any = None) -> Any:
    """See `tf.data.experimental.sample_from_datasets`."""
    return tf.data.experimental.sample_from_datasets(datasets, weights, seed)


@deprecated(None, "Use `tf.data.experimental.choose_from_datasets(...)`.")
def choose_from_datasets(datasets: Any, choice_dataset: Any) -> Any:
    """See `tf.data.experimental.choose_from_datasets`."""
    return tf.data.experimental.choose_from_datasets(datasets, choice_dataset)


@deprecated(None, "Use `tf.data.experimental.rejection_resample(...)`.")
def rejection_resample(
    class_func: _Function, target_dist: Any, initial_dist: Any = None, seed: Any = None
) -> _Transformation:
    """See `tf.data.experimental.rejection_resample`."""
    return tf.data.experimental.rejection_resample(class_func, target_dist, initial_dist, seed)


@deprecated(None, "Use `tf.data.experimental.scan(...)`.")
def scan(initial_state: Any, scan_func: _Function) -> _Transformation:
    """See `tf.data.experimental.scan`."""
    return tf.data.experimental.scan(initial_state, scan_func)
