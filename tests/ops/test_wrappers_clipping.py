"""Clipping: values, IndexedSlices, errors."""

import numpy as np
import pytest

import tinytf as tf

X = np.array([[3.0, 4.0], [0.3, -0.4]], np.float32)


def run(fetches):
    with tf.Session() as sess:
        return sess.run(fetches)


def test_by_value():
    np.testing.assert_array_equal(run(tf.clip_by_value(X, 0.0, [3.5, 3.5])), np.clip(X, 0, 3.5))
    with pytest.raises(ValueError, match="not compatible"):
        tf.clip_by_value(tf.constant(X[0]), 0.0, X)


def test_by_norm():
    np.testing.assert_allclose(run(tf.clip_by_norm(X, 1.0, axes=[1])), [[0.6, 0.8], [0.3, -0.4]], rtol=1e-6)
    np.testing.assert_allclose(run(tf.clip_by_norm(X, 1.0)), X / np.linalg.norm(X), rtol=1e-6)
    np.testing.assert_array_equal(run(tf.clip_by_norm(np.zeros([2], np.float32), 1.0)), [0, 0])


def test_by_average_norm():
    average = np.linalg.norm(X) / 4
    np.testing.assert_allclose(run(tf.clip_by_average_norm(X, 0.5)), X * 0.5 / average, rtol=1e-5)


def test_by_global_norm():
    slices = tf.IndexedSlices(tf.constant(X), tf.constant([0, 5]))
    clipped, norm = tf.clip_by_global_norm([X[0], None, slices], 2.0)
    total = np.sqrt((X[0] ** 2).sum() + (X**2).sum())
    assert clipped[1] is None
    assert isinstance(clipped[2], tf.IndexedSlices)
    np.testing.assert_allclose(run(norm), total, rtol=1e-6)
    np.testing.assert_allclose(run(clipped[0]), X[0] * 2 / total, rtol=1e-6)
    np.testing.assert_allclose(run(clipped[2].values), X * 2 / total, rtol=1e-6)


def test_a_norm_that_is_not_finite_makes_all_nan():
    clipped, _ = tf.clip_by_global_norm([X, np.array([np.inf], np.float32)], 1.0)
    assert np.isnan(run(clipped[0])).all()


def test_no_sequence():
    for function in (tf.global_norm, lambda t: tf.clip_by_global_norm(t, 1.0)):
        with pytest.raises(TypeError, match="t_list should be a sequence"):
            function(tf.constant(X))
