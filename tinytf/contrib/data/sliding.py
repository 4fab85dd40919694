"""Batches of the elements of a window that slides over a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.data.ops.dataset_ops import UnaryDataset
from tinytf.python.data.util import nest
from tinytf.python.util.deprecation import deprecated, deprecated_args


@deprecated_args(None, "stride is deprecated, use window_shift instead", "stride")
@deprecated(
    None,
    "Use `tf.data.Dataset.window(size=window_size, shift=window_shift, stride=window_stride).flat_map(lambda x: "
    "x.batch(window_size))` instead.",
)
def sliding_window_batch(
    window_size: Any, stride: Any = None, window_shift: Any = None, window_stride: Any = 1
) -> Callable[[Any], Any]:
    """Joins the elements of a window that slides over a dataset.

    Args:
      window_size: int or int64 tensor, number of elements of a window.
      stride: older name of `window_shift`.
      window_shift: int or int64 tensor, how many elements later the next window begins; None means 1.
      window_stride: int or int64 tensor, the distance of elements of a window.

    Returns:
      Function for `tf.data.Dataset.apply`.

    Raises:
      ValueError: if both `stride` and `window_shift` are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = stride if window_shift is None else window_shift

    def transformation(dataset: Any) -> Any:
        return _SlideDataset(dataset, window_size, 1 if shift is None else shift, window_stride)

    return transformation


class _SlideDataset(UnaryDataset):
    def __init__(self, input_dataset: Any, window_size: Any, window_shift: Any, window_stride: Any) -> None:
        size = tf.convert_to_tensor(window_size, dtype=tf.int64, name="window_stride")
        stride = tf.convert_to_tensor(window_stride, dtype=tf.int64, name="window_stride")
        shift = tf.convert_to_tensor(window_shift, dtype=tf.int64, name="window_shift")
        spec = tf.data.experimental.get_structure(input_dataset)
        self._structure = nest.map_structure(lambda part: part._batch(None), spec)
        windows = tf.raw_ops.SlidingWindowDataset(
            input_dataset=input_dataset._variant_tensor,
            window_size=size,
            window_shift=shift,
            window_stride=stride,
            **self._flat_structure,
        )
        super().__init__(input_dataset, windows)

    @property
    def element_spec(self) -> Any:
        """The specification of a batch."""
        return self._structure
