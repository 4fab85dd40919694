import numpy as np
import pytest

import tinytf as tf


def test_shapes_and_values():
    images, labels = tf.datasets.load_digits()
    assert images.shape == (1797, 8, 8) and images.dtype == np.float32
    assert labels.shape == (1797,) and labels.dtype == np.int64
    assert images.min() == 0.0 and images.max() == 1.0
    assert np.bincount(labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_original_counts():
    counts, labels = tf.datasets.load_digits(np.uint8)
    assert counts.dtype == np.uint8 and counts.max() == 16
    assert counts.sum(dtype=int) == 561718
    assert counts[0, 0].tolist() == [0, 0, 5, 13, 9, 1, 0, 0] and labels[0] == 0
    scaled, _ = tf.datasets.load_digits(np.float64)
    np.testing.assert_array_equal(scaled * 16, counts)


def test_arrays_are_fresh():
    tf.datasets.load_digits()[0].fill(7)
    assert tf.datasets.load_digits()[0].max() == 1.0


def test_other_types_are_refused():
    with pytest.raises(ValueError, match="floating or uint8 images, not int32"):
        tf.datasets.load_digits(np.int32)
