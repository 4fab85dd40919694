"""Poisson variates: moments, sequences, dtypes and limits."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import gen_ops

TYPES = [tf.float16, tf.float32, tf.float64, tf.int32, tf.int64]


def _draw(rate, shape=(), dtype=tf.int64, seed=(1, 2), runs=1):
    y = gen_ops.random_poisson_v2(tf.constant(shape, tf.int32), rate, dtype=dtype, seed=seed[0], seed2=seed[1])
    with tf.Session() as session:
        values = [session.run(y) for _ in range(runs)]
    return values if runs > 1 else values[0]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("rate_dtype", TYPES)
def test_types_and_shape(rate_dtype, dtype):
    y = gen_ops.random_poisson_v2([5], tf.constant([[1, 20, 3]], rate_dtype), dtype=dtype, seed=3)
    assert y.shape.as_list() == [5, 1, 3] and y.dtype is dtype
    with tf.Session() as session:
        value = session.run(y)
    assert value.shape == (5, 1, 3) and value.dtype == dtype.as_numpy_dtype
    assert (value >= 0).all() and (value == np.floor(value)).all()


@pytest.mark.parametrize("rate", [0.1, 3.0, 9.99, 10.0, 42.5, 1e4])
def test_moments(rate):
    n = 40000
    x = _draw([rate], [n], seed=(5, 7)).astype(np.float64)
    deviation = np.sqrt(rate)
    assert abs(x.mean() - rate) < 5 * deviation / np.sqrt(n)
    assert abs(x.var() / rate - 1) < 5 * np.sqrt((2 + 1 / rate) / n)


@pytest.mark.parametrize("rate", [2.0, 15.0])
def test_frequencies(rate):
    n = 40000
    found = np.bincount(_draw([rate], [n], seed=(11, 3)).ravel(), minlength=40)
    term, expected = np.exp(-rate), []
    for k in range(40):
        expected.append(term * n)
        term *= rate / (k + 1)
    expected = np.array(expected)
    assert (abs(found[:40] - expected) < 5 * np.sqrt(expected) + 5).all()


def test_streams():
    first, second = _draw([4.0, 30.0], [50], runs=2)
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(_draw([4.0, 30.0], [50]), first)
    assert not np.array_equal(_draw([4.0, 30.0], [50], seed=(1, 3)), first)


def test_known_values():
    """The values of TensorFlow for these seeds."""
    first = [[0, 4, 25, 1007], [0, 4, 36, 953], [0, 6, 28, 974], [0, 2, 20, 1018], [0, 4, 37, 999]]
    second = [[0, 5, 28, 990], [0, 3, 30, 1068], [1, 7, 25, 1027], [0, 5, 32, 1024], [0, 2, 32, 987]]
    np.testing.assert_array_equal(_draw([0.5, 4.0, 30.0, 1000.0], [5], seed=(87654321, 1), runs=2), [first, second])


def test_limits():
    rate = [0.0, np.inf, np.nan]
    np.testing.assert_array_equal(_draw(rate, dtype=tf.float32), rate)
    info = np.iinfo(np.int32)
    np.testing.assert_array_equal(_draw(rate, dtype=tf.int32), [0, info.max, info.min])
    assert _draw([1.0], [0]).shape == (0, 1)
    assert np.isinf(_draw([1e9], dtype=tf.float16))


def test_wrapper():
    with tf.Session() as session:
        value = session.run(tf.random_poisson([2.0, 50.0], [1000], seed=4))
    assert value.shape == (1000, 2) and value.dtype == np.float32
    np.testing.assert_allclose(value.mean(0), [2, 50], rtol=0.1)
