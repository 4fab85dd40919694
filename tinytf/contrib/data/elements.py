"""Sources, and transformations that call no functions of elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tinytf as tf
from tinytf.python.util.deprecation import deprecated

_Transformation = Callable[[Any], Any]


@deprecated(None, "Use `tf.data.experimental.Counter(...)`.")
def Counter(start: Any = 0, step: Any = 1, dtype: Any = tf.int64) -> Any:
    """See `tf.data.experimental.Counter`."""
    return tf.data.experimental.Counter(start, step, dtype)


class RandomDataset(tf.data.experimental.RandomDataset):
    """See `tf.data.experimental.RandomDataset`."""

    @deprecated(None, "Use `tf.data.experimental.RandomDataset(...)`.")
    def __init__(self, seed: Any = None) -> None:
        super().__init__(seed)


@deprecated(None, "Use `tf.data.experimental.enumerate_dataset(...)`.")
def enumerate_dataset(start: Any = 0) -> _Transformation:
    """See `tf.data.experimental.enumerate_dataset`."""
    return tf.data.experimental.enumerate_dataset(start)


@deprecated(None, "Use `tf.data.experimental.ignore_errors()`.")
def ignore_errors() -> _Transformation:
    """See `tf.data.experimental.ignore_errors`."""
    return tf.data.experimental.ignore_errors()


@deprecated(None, "Use `tf.data.experimental.unique()`.")
def unique() -> _Transformation:
    """See `tf.data.experimental.unique`."""
    return tf.data.experimental.unique()


@deprecated(None, "Use `tf.data.experimental.shuffle_and_repeat(...)`.")
def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> _Transformation:
    """See `tf.data.experimental.shuffle_and_repeat`."""
    return tf.data.experimental.shuffle_and_repeat(buffer_size, count, seed)


@deprecated(None, "Use `tf.data.experimental.prefetch_to_device(...)`.")
def prefetch_to_device(device: str, buffer_size: Any = None) -> _Transformation:
    """See `tf.data.experimental.prefetch_to_device`."""
    return tf.data.experimental.prefetch_to_device(device, buffer_size)


@deprecated(None, "Use `tf.data.experimental.copy_to_device(...)`.")
def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> _Transformation:
    """See `tf.data.experimental.copy_to_device`."""
    return tf.data.experimental.copy_to_device(target_device, source_device)


@deprecated(None, "Use `tf.data.experimental.get_single_element(...)`.")
def get_single_element(dataset: Any) -> Any:
    """See `tf.data.experimental.get_single_element`."""
    return tf.data.experimental.get_single_element(dataset)


@deprecated(None, "Use `tf.data.Dataset.reduce(...)`.")
def reduce_dataset(dataset: Any, reducer: Any) -> Any:
    """Computes a value from all elements.

    Args:
      dataset: Dataset.
      reducer: `tf.data.experimental.Reducer`, whose `finalize_func` is not called.

    Returns:
      Nested structure of tensors, the last state.

    Raises:
      TypeError: if `dataset` is none.
    """
    if not isinstance(dataset, tf.data.Dataset):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    return dataset.reduce(reducer.init_func(np.int64(0)), reducer.reduce_func)
