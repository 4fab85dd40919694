"""Derivatives of every order of functions with branches, loops and calls that have side effects, which occur
exactly once.
"""

import numpy as np
import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def _derivatives(function, x, order):
    """The value and its derivatives up to `order`, by nested tapes."""
    if order == 0:
        return [function(x)]
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = _derivatives(function, x, order - 1)
    return [*found, tape.gradient(found[-1], x)]


def _changing(v):
    """Functions of x that add 1 to `v` and return x ** 5, with variable reads and random numbers on the way."""

    def change(x):
        v.assign_add(1.0)
        return tf.exp(tf.log(x) * (v.read_value() * 0.0 + 2.0)) * x * tf.square(x)

    called = tf.function(change)
    return {
        "branch": lambda x: tf.cond(x > 0.0, lambda: change(x), lambda: x),
        "case": lambda x: tf.switch_case(tf.cast(x, tf.int32) * 0, [lambda: change(x), lambda: x]),
        "loop": lambda x: tf.while_loop(lambda i, _: i < 1, lambda i, y: (i + 1, change(y)), [0, x])[1],
        "call": called,
        "branch in a loop": lambda x: tf.while_loop(
            lambda i, _: i < 1, lambda i, y: (i + 1, tf.cond(y > 0.0, lambda: called(y), lambda: y)), [0, x]
        )[1],
    }


@pytest.mark.parametrize("order", range(4))
@pytest.mark.parametrize("kind", _changing(None))
def test_effects_happen_once_whatever_is_derived(kind, order):
    v, x = tf.Variable(0.0), tf.constant(2.0)
    function = tf.function(_changing(v)[kind])
    for i in (1, 2):
        found = [value.numpy() for value in _derivatives(function, x, order)]
        np.testing.assert_allclose(found, [32, 80, 160, 240][: order + 1], 1e-4)
        assert v.numpy() == i


@pytest.mark.parametrize("order", range(4))
@pytest.mark.parametrize("kind", _changing(None))
def test_effects_happen_once_in_a_function_that_derives(kind, order):
    v, x = tf.Variable(0.0), tf.constant(2.0)
    function = tf.function(_changing(v)[kind])
    derive = tf.function(lambda x: _derivatives(function, x, order))
    for i in (1, 2):
        np.testing.assert_allclose([value.numpy() for value in derive(x)], [32, 80, 160, 240][: order + 1], 1e-4)
        assert v.numpy() == i


@pytest.mark.parametrize("kind", _changing(None))
def test_derivatives_of_every_order_in_graphs(kind):
    with tf.Graph().as_default(), tf.Session() as session:
        v, x = tf.Variable(0.0, use_resource=True), tf.constant(2.0)
        found = [tf.function(_changing(v)[kind])(x)]
        for _ in range(3):
            found += tf.gradients(found[-1], x)
        session.run(v.initializer)
        np.testing.assert_allclose(session.run(found), [32, 80, 160, 240], 1e-4)
        assert session.run(v) == 1.0


def test_a_tape_that_is_kept_derives_what_it_derived():
    x = tf.constant(2.0)
    function = tf.function(lambda x: tf.cond(x > 0.0, lambda: tf.tanh(x) * x, lambda: x))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        values = [function(x), tf.tanh(x) * x]
        for _ in range(3):
            firsts = [tape.gradient(value, x) for value in values]
            np.testing.assert_allclose(firsts[0].numpy(), firsts[1].numpy(), 1e-4)
            values = firsts
