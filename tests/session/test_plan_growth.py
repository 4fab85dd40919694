"""The time to plan a large graph grows linearly with its size, not quadratically."""

import time

import pytest

import tinytf as tf


def _branches(n, x):
    pred = tf.placeholder_with_default(True, [])
    for _ in range(n):
        x = tf.cond(pred, lambda x=x: x + 1.0, lambda x=x: x * 2.0)
    return x


def _loops(n, x):
    for _ in range(n):
        x = tf.while_loop(lambda i, _: i < 1, lambda i, x: (i + 1, x + 1.0), [0, x])[1]
    return x


def _first_run(build, n):
    """CPU seconds of this thread for the plan and its first step."""
    with tf.Graph().as_default(), tf.Session() as session:
        y = build(n, tf.constant(1.0))
        start = time.thread_time()
        assert session.run(y) == n + 1
        return time.thread_time() - start


def _grows_linearly(build):
    few = min(_first_run(build, 100) for _ in range(5))
    many = min(_first_run(build, 1000) for _ in range(2))
    return many < 40 * few  # more than 10, because of cache misses


@pytest.mark.parametrize("build", [_branches, _loops])
def test_ten_times_as_many_do_not_take_a_hundred_times_as_long(build):
    """Other work of the machine disturbs a measurement, but not ten of them."""
    assert any(_grows_linearly(build) for _ in range(10))
