"""`tf.contrib.eager.Iterator`: iterates over datasets in eager execution."""

from __future__ import annotations

from typing import Any

from tinytf.python.data.ops.iterator_ops import IteratorV2


class Iterator(IteratorV2):
    """An iterator over the elements of a dataset.

    Args:
      dataset: `tf.data.Dataset`.
    """

    def __init__(self, dataset: Any) -> None:
        super().__init__(dataset)
