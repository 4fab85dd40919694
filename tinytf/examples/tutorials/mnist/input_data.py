"""Reads the MNIST data set from local files; nothing is downloaded.

The four files are expected in the folder passed to `read_data_sets`, compressed (`train-images-idx3-ubyte.gz`) or not.
"""

from __future__ import annotations

import gzip
import os
from typing import Any, NamedTuple

import numpy as np

import tinytf as tf
from tinytf.examples.tutorials.mnist.data_set import DataSet

__all__ = [
    "DataSet",
    "Datasets",
    "dense_to_one_hot",
    "extract_images",
    "extract_labels",
    "load_mnist",
    "read_data_sets",
]

DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"  # public download location; not used
TRAIN_IMAGES = "train-images-idx3-ubyte.gz"
TRAIN_LABELS = "train-labels-idx1-ubyte.gz"
TEST_IMAGES = "t10k-images-idx3-ubyte.gz"
TEST_LABELS = "t10k-labels-idx1-ubyte.gz"
_IMAGES_MAGIC, _LABELS_MAGIC = 2051, 2049


class Datasets(NamedTuple):
    """The training, validation and test examples."""

    train: DataSet
    validation: DataSet
    test: DataSet


def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: Any = tf.float32,
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str = DEFAULT_SOURCE_URL,
) -> Datasets:
    """Reads the data sets from the files in `train_dir`; the first `validation_size` training examples become the
    validation set.

    Raises NotFoundError, which names the expected location, if a file is missing, and ValueError for a
    `validation_size` out of range. `source_url` is ignored.
    """
    if fake_data:
        fake = [DataSet([], [], True, one_hot, dtype, seed=seed) for _ in range(3)]
        return Datasets(*fake)
    with _opened(train_dir, TRAIN_IMAGES) as file:
        images = extract_images(file)
    with _opened(train_dir, TRAIN_LABELS) as file:
        labels = extract_labels(file, one_hot)
    with _opened(train_dir, TEST_IMAGES) as file:
        test_images = extract_images(file)
    with _opened(train_dir, TEST_LABELS) as file:
        test_labels = extract_labels(file, one_hot)
    if not 0 <= validation_size <= len(images):
        raise ValueError(f"Validation size should be between 0 and {len(images)}. Received: {validation_size}.")
    n = validation_size
    pairs = ((images[n:], labels[n:]), (images[:n], labels[:n]), (test_images, test_labels))
    return Datasets(*(DataSet(*pair, dtype=dtype, reshape=reshape, seed=seed) for pair in pairs))


def load_mnist(train_dir: str = "MNIST-data") -> Datasets:
    """Calls `read_data_sets` for a folder."""
    return read_data_sets(train_dir)


def _opened(folder: str, name: str) -> Any:
    path = os.path.join(folder, name)
    if not tf.gfile.Exists(path):
        path = path.removesuffix(".gz")
        if not tf.gfile.Exists(path):
            raise tf.errors.NotFoundError(
                None,
                None,
                f"There is no {name} in {folder!r}, and tinytf does not download it. Put the four files of MNIST there: "
                f"{TRAIN_IMAGES}, {TRAIN_LABELS}, {TEST_IMAGES} and {TEST_LABELS}, for example from {DEFAULT_SOURCE_URL}.",
            )
    return tf.gfile.Open(path, "rb")


def _content(f: Any) -> bytes:
    data = f.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def _read(f: Any, kind: str, magic: int, sizes: int) -> tuple[np.ndarray, list[int]]:
    """Returns the bytes of a file after its header, and the dimensions from its header."""
    print("Extracting", f.name)
    data = _content(f)
    if len(data) < 4 * (1 + sizes):
        raise ValueError(f"The MNIST {kind} file is too short for its header: {f.name}")
    found, *shape = np.frombuffer(data, ">u4", 1 + sizes).tolist()
    if found != magic:
        raise ValueError(f"Invalid magic number {found} in MNIST {kind} file: {f.name}")
    count = 1
    for size in shape:
        count *= size
    values = np.frombuffer(data, np.uint8, offset=4 * (1 + sizes))
    return values[:count], shape


def extract_images(f: Any) -> np.ndarray:
    """Returns the images of an open file as uint8 [number, rows, columns, 1]. Raises ValueError for another kind of
    file."""
    values, (number, rows, columns) = _read(f, "image", _IMAGES_MAGIC, 3)
    return values.reshape(number, rows, columns, 1)


def extract_labels(f: Any, one_hot: bool = False, num_classes: int = 10) -> np.ndarray:
    """Returns the labels of an open file as uint8 [number], or one-hot rows. Raises ValueError for another kind of
    file."""
    values, _ = _read(f, "label", _LABELS_MAGIC, 1)
    return dense_to_one_hot(values, num_classes) if one_hot else values


def dense_to_one_hot(labels_dense: np.ndarray, num_classes: int) -> np.ndarray:
    """Returns a float64 array with a one-hot row for each label."""
    rows = np.zeros((len(labels_dense), num_classes))
    rows[np.arange(len(labels_dense)), labels_dense.ravel()] = 1
    return rows
