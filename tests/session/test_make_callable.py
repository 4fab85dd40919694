"""`Session.make_callable`: the objects that a callable keeps alive, and its error messages."""

import gc

import numpy as np
import pytest

import tinytf as tf


def test_a_callable_keeps_its_session():
    call = tf.Session().make_callable(tf.constant([1.0, 2.0]))
    gc.collect()
    np.testing.assert_array_equal(call(), [1.0, 2.0])
    with pytest.warns(ResourceWarning, match="was not closed"):
        del call


def test_an_operation_gives_none():
    with tf.Session() as session:
        assert session.make_callable(tf.no_op())() is None


def test_structures_keep_their_form():
    with tf.Session() as session:
        assert session.make_callable({"a": tf.constant(1), "b": [tf.constant(2)]})() == {"a": 1, "b": [2]}


def test_feeds_go_by_position():
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    with tf.Session() as session:
        assert session.make_callable(x - y, [y, x])(1.0, 5.0) == 4.0


def test_errors_are_those_of_the_runtime():
    x = tf.placeholder(tf.float32, name="x")
    with tf.Session() as session:
        call = session.make_callable(x + 1.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="x") as caught:
            call()
    assert caught.value.op is None


def test_a_closed_session_fails_from_the_runtime():
    session = tf.Session()
    call = session.make_callable(tf.constant(1))
    session.close()
    with pytest.raises(tf.errors.CancelledError, match="Session has been closed"):
        call()


def test_options_do_not_change_how_a_closed_session_fails():
    session = tf.Session()
    call = session.make_callable(tf.constant(1), accept_options=True)
    assert call(options=tf.RunOptions(timeout_in_ms=60_000)) == 1
    session.close()
    for options in (None, tf.RunOptions()):
        with pytest.raises(tf.errors.CancelledError, match="Session has been closed"):
            call(options=options)


def test_a_feed_list_is_a_list():
    with tf.Session() as session, pytest.raises(TypeError, match="`feed_list` must be a list or tuple."):
        session.make_callable(tf.constant(1), feed_list="x")


def test_something_is_asked_for():
    session = tf.Session()
    tf.no_op()
    call = session.make_callable({"a": []})
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Must specify at least one target to fetch or execute.$"):
        call()
    assert session.run({"a": []}) == {"a": []}
    session.close()
    with pytest.raises(tf.errors.CancelledError, match="Session has been closed"):
        call()
