"""`tf.GradientTape` over operations added to a graph."""

import numpy as np
import pytest

import tinytf as tf


def _run(fetches):
    with tf.Session() as sess:
        return sess.run(fetches)


def test_derivatives_are_operations():
    x = tf.constant([1.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    np.testing.assert_array_equal(_run(tape.gradient(y, x)), [2.0, 6.0])


def test_what_is_added_before_is_constant():
    x = tf.constant(3.0)
    z = x * x
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = z * x
    assert _run(tape.gradient(y, x)) == 9.0


def test_what_is_not_watched_has_no_derivative():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is None


def test_pauses_count():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tape.stop_recording():
            z = x * x
        y = z * x
    assert _run(tape.gradient(y, x)) == 9.0


def test_second_derivatives():
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        first = inner.gradient(y, x)
    assert _run([first, outer.gradient(first, x)]) == [27.0, 18.0]


def test_a_tape_gives_gradients_once():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="^GradientTape.gradient can only be called once on non-persistent tapes.$"):
        tape.gradient(y, x)


def test_jacobian():
    x = tf.constant([1.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    np.testing.assert_array_equal(_run(tape.jacobian(y, x)), [[2.0, 0.0], [0.0, 6.0]])


def test_variables_that_are_read_are_watched():
    v = tf.Variable(3.0, use_resource=True)
    with tf.GradientTape() as tape:
        y = v * v
    gradient = tape.gradient(y, v)
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(gradient) == 6.0
