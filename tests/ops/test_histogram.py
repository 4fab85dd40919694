"""Histograms with bins of equal width."""

import numpy as np
import pytest

import tinytf as tf

VALUES = [[-1.0, 0.0, 1.5], [2.0, 5.0, 15.0]]


def _run(fetches):
    with tf.Session() as session:
        return session.run(fetches)


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_counts(dtype):
    counts = tf.histogram_fixed_width(tf.constant(VALUES), [0.0, 5.0], nbins=5, dtype=dtype)
    assert counts.dtype == dtype and counts.shape.as_list() == [5] and counts.op.name == "histogram_fixed_width"
    np.testing.assert_array_equal(_run(counts), [2, 1, 1, 0, 2])


def test_bins():
    bins = tf.histogram_fixed_width_bins(VALUES, [0.0, 5.0], nbins=5)
    assert bins.dtype == tf.int32 and bins.shape.as_list() == [2, 3]
    np.testing.assert_array_equal(_run(bins), [[0, 0, 1], [2, 4, 4]])


def test_an_empty_range_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"value_range should satisfy.*'\[1, 1\]'"):
        _run(tf.histogram_fixed_width([1.0], [1.0, 1.0]))
