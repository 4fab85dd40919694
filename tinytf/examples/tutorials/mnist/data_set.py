"""A data set of labeled images that yields batches."""

from __future__ import annotations

from typing import Any

import numpy as np

import tinytf as tf

_FAKE_EXAMPLES, _FAKE_PIXELS, _FAKE_CLASSES = 10000, 784, 10


class DataSet:
    """Labeled images. With `dtype` float32, pixels are scaled to [0, 1]; with `reshape`, each image is flattened to a
    row.

    Batches are shuffled by NumPy's global generator, which the constructor seeds from `seed`, or, if that is None, from
    the seed of the default graph. Not thread-safe. Raises TypeError for dtypes other than uint8 and float32.
    """

    def __init__(
        self,
        images: Any,
        labels: Any,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: Any = tf.float32,
        reshape: bool = True,
        seed: int | None = None,
    ) -> None:
        graph_seed, op_seed = tf.get_seed(seed)
        np.random.seed(graph_seed if seed is None else op_seed)
        dtype = tf.as_dtype(dtype).base_dtype
        if dtype not in (tf.uint8, tf.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self._num_examples = _FAKE_EXAMPLES
        self._one_hot = one_hot
        if not fake_data:
            assert len(images) == len(labels), f"images.shape: {images.shape} labels.shape: {labels.shape}"
            self._num_examples = len(images)
            if reshape:
                assert images.shape[3] == 1
                images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
            if dtype == tf.float32:
                images = np.multiply(images.astype(np.float32), 1.0 / 255.0)
        self._images = images
        self._labels = labels
        self._epochs_completed = 0
        self._index_in_epoch = 0

    @property
    def images(self) -> Any:
        """All images, in the order of the current epoch."""
        return self._images

    @property
    def labels(self) -> Any:
        """All labels, in the order of the current epoch."""
        return self._labels

    @property
    def num_examples(self) -> int:
        """The number of examples."""
        return self._num_examples

    @property
    def epochs_completed(self) -> int:
        """The number of completed passes over the examples."""
        return self._epochs_completed

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> tuple[Any, Any]:
        """Returns the next `batch_size` images and labels. A batch that reaches the end of an epoch continues with the
        next epoch, which is shuffled again."""
        if fake_data:
            label: Any = [1] + [0] * (_FAKE_CLASSES - 1) if self._one_hot else 0
            return [[1] * _FAKE_PIXELS for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._index_in_epoch
        if start == 0 and self._epochs_completed == 0 and shuffle:
            self._shuffle()
        self._index_in_epoch = end = start + batch_size
        if end <= self._num_examples:
            return self._images[start:end], self._labels[start:end]
        self._epochs_completed += 1
        rest = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._index_in_epoch = end = end - self._num_examples
        parts = zip(rest, (self._images[:end], self._labels[:end]))
        images, labels = (np.concatenate(pair) for pair in parts)
        return images, labels

    def _shuffle(self) -> None:
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images = self._images[order]
        self._labels = self._labels[order]
