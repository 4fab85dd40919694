"""Random ops in a session give known values, and their sequences continue."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import gen_ops

GRAPH_SEED = 87654321  # the graph seed for ops with a seed in a graph without one


def test_uniform_goes_on_from_run_to_run_and_starts_anew_in_another_session():
    u = gen_ops.random_uniform([1], tf.float32, seed=GRAPH_SEED, seed2=1)
    with tf.Session() as sess:
        first, second = sess.run(u), sess.run(u)
    np.testing.assert_allclose([first[0], second[0]], [0.2390374, 0.22267115], rtol=1e-6)
    with tf.Session() as sess:
        assert sess.run(u) == first


def test_two_random_ops_with_one_seed_have_streams_of_their_own():
    a, b = (gen_ops.random_standard_normal([6], tf.float32, seed=GRAPH_SEED, seed2=1) for _ in range(2))
    with tf.Session() as sess:
        x, y = sess.run([a, b])
    np.testing.assert_array_equal(x, y)
    np.testing.assert_allclose(x, [-0.81131822, 1.48459876, 0.06532937, -2.4427042, 0.0992484, 0.59122431], rtol=2e-6)


def test_integers_and_shuffle():
    ints = gen_ops.random_uniform_int([8], 0, 100, seed=GRAPH_SEED, seed2=1)
    shuffled = gen_ops.random_shuffle(tf.constant(np.arange(10)), seed=GRAPH_SEED, seed2=1)
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(ints), [27, 59, 93, 22, 77, 94, 86, 33])
        np.testing.assert_array_equal(sess.run(shuffled), [7, 9, 3, 6, 5, 1, 8, 4, 0, 2])


def test_empty_range_of_integers():
    ints = gen_ops.random_uniform_int([2], 5, 5)
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match="Need minval < maxval, got 5 >= 5"):
        sess.run(ints)
