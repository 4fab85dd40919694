"""Products with constant weights: plans cache packed weights without changing results or leaking memory after the
session.
"""

import threading

import numpy as np
import pytest

import tinytf as tf


def _normal(*shape, dtype=np.float32):
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("transposed", [False, True])
def test_each_step_yields_the_same_bits(dtype, transposed):
    x = tf.placeholder(dtype, [None, 300])
    w = tf.constant(_normal(*((200, 300) if transposed else (300, 200)), dtype=dtype))
    y = tf.matmul(x, w, transpose_b=transposed)
    plain = tf.matmul(x, tf.Variable(w), transpose_b=transposed)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for rows in (40, 40, 64, 300, 1, 0, 40):
            feed = {x: _normal(rows, 300, dtype=dtype)}
            kept, expected = session.run([y, plain], feed)
            assert kept.tobytes() == expected.tobytes()


def test_weights_that_a_step_feeds_are_those_that_count():
    x, w = tf.constant(_normal(64, 100)), tf.constant(_normal(100, 120))
    y = tf.matmul(tf.placeholder_with_default(x, x.shape), w)
    other = np.ones([100, 120], np.float32)
    with tf.Session() as session:
        for _ in range(3):
            first = session.run(y)
            fed = session.run(y, {w: other})
        np.testing.assert_allclose(fed, session.run(x) @ other, 1e-4)
        np.testing.assert_array_equal(session.run(y), first)


def test_in_loops_and_on_several_threads():
    w = tf.constant(_normal(80, 80) * 0.1)
    x = tf.placeholder(tf.float32, [48, 80])
    y = tf.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, w))), [0, x])[1]
    fed = _normal(48, 80)
    with tf.Session() as session:
        weights, first = session.run([w, y], {x: fed})
        found = []
        threads = [
            threading.Thread(target=lambda: found.extend(session.run(y, {x: fed}) for _ in range(20))) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 80 and all(value.tobytes() == first.tobytes() for value in found)
    expected = fed
    for _ in range(5):
        expected = np.tanh(expected @ weights)
    np.testing.assert_allclose(first, expected, 1e-3, 1e-5)


def test_panels_count_and_go_with_their_session():
    weights = _normal(400, 500)
    w = tf.constant(weights)
    x = tf.placeholder(tf.float32, [None, 400])
    y = tf.reduce_sum(tf.matmul(x, w))
    fed = np.ones([32, 400], np.float32)
    for _ in range(400):  # together they exceed the cache of a process
        with tf.Session() as session:
            session.run(y, {x: fed})
            before = session.memory_stats().live_bytes
            for _ in range(2):
                session.run(y, {x: fed})
            assert session.memory_stats().live_bytes - before >= weights.nbytes
        assert session.memory_stats().live_bytes == 0


def test_many_rows_and_small_matrices_keep_nothing():
    x = tf.placeholder(tf.float32, [None, 400])
    large, small = tf.matmul(x, tf.constant(_normal(400, 500))), tf.matmul(x[:, :30], tf.constant(_normal(30, 30)))
    total = tf.reduce_sum(large) + tf.reduce_sum(small)
    with tf.Session() as session:
        for rows in (1, 8, 1000):
            fed = np.ones([rows, 400], np.float32)
            session.run(total, {x: fed})
            before = session.memory_stats().live_bytes
            for _ in range(3):
                session.run(total, {x: fed})
            assert session.memory_stats().live_bytes == before
