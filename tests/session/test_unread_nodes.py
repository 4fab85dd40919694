"""Nodes with only control consumers do not run, unless their execution is observable."""

import numpy as np
import pytest

import tinytf as tf


def _unoptimised():
    config = tf.ConfigProto()
    config.graph_options.optimizer_options.opt_level = -1
    return config


def test_an_unread_node_is_dropped_by_the_rewrites_only():
    x = tf.placeholder(tf.float32, [None])
    with tf.control_dependencies([tf.gather(x, 10)]):
        y = tf.identity(x)
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(y, {x: [1.0]}), [1])
    with tf.Session(config=_unoptimised()) as sess, pytest.raises(tf.errors.InvalidArgumentError):
        sess.run(y, {x: [1.0]})


def test_what_an_unread_node_waited_for_still_runs_first():
    v = tf.Variable(1.0)
    x = tf.placeholder(tf.float32, [])
    with tf.control_dependencies([v.assign(5.0)]):
        unread = tf.square(x)
    with tf.control_dependencies([unread]):
        after = v.read_value()
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(after, {x: 2.0}) == 5


def test_checks_and_state_are_kept():
    x = tf.placeholder(tf.float32, [])
    v = tf.Variable(1.0)
    with tf.control_dependencies([tf.check_numerics(x, "not finite")]):
        checked = tf.identity(v)
    with tf.control_dependencies([v.assign_add(1.0)]):
        counted = tf.constant(0.0) + x
    with tf.Session() as sess:
        sess.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(checked, {x: float("nan")})
        sess.run(counted, {x: 0.0})
        assert sess.run(v) == 2


def test_a_fetched_node_runs():
    x = tf.placeholder(tf.float32, [])
    unread = tf.square(x)
    with tf.control_dependencies([unread]):
        y = tf.identity(x)
    with tf.Session() as sess:
        assert sess.run([y, unread], {x: 3.0}) == [3, 9]


def test_a_feed_stands_for_a_node_that_others_wait_for():
    x = tf.placeholder(tf.float32, [])
    with tf.control_dependencies([x]):
        y = tf.constant(1.0)
    with tf.Session() as sess:
        assert sess.run(y, {x: 2.0}) == 1
        assert sess.run(tf.tuple([x, y]), {x: 2.0}) == [2, 1]
