"""Transformations that methods of datasets have replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.platform.deprecation import deprecated


@tf_export("data.experimental.unbatch")
@deprecated(None, "Use `tf.data.Dataset.unbatch()`.")
def unbatch() -> Callable[[Any], Any]:
    """The elements of batches: slices along the first dimension.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return dataset.unbatch()

    return transformation


@tf_export("data.experimental.enumerate_dataset")
@deprecated(None, "Use `tf.data.Dataset.enumerate()")
def enumerate_dataset(start: Any = 0) -> Callable[[Any], Any]:
    """Pairs (number, element).

    Args:
      start: int or int64 tensor, the first number.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return dataset.enumerate(start)

    return transformation
