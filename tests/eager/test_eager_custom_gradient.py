"""Functions with custom gradients in eager execution."""

import numpy as np
import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def _gradient(f, *xs, **keywords):
    with tf.GradientTape() as tape:
        for x in xs:
            tape.watch(x)
        y = f(*xs, **keywords)
    return tape.gradient(y, list(xs))


def test_the_functions_own_gradient_counts():
    @tf.custom_gradient
    def f(x):
        return x * x, lambda dy: 100.0 * dy

    assert _gradient(f, tf.constant(3.0))[0].numpy() == 100.0


def test_keywords_are_passed_on():
    @tf.custom_gradient
    def f(x, factor=1.0):
        return x * factor, lambda dy: factor * dy

    x = tf.constant(3.0)
    assert f(x, factor=2.0).numpy() == 6.0
    assert _gradient(f, x, factor=2.0)[0].numpy() == 2.0


def test_several_arguments_and_results():
    @tf.custom_gradient
    def f(x, y):
        return (x + y, x * y), lambda dsum, dproduct: (10.0 * dsum, 20.0 * dproduct)

    x, y = tf.constant(3.0), tf.constant(4.0)
    assert [g.numpy() for g in _gradient(f, x, y)] == [10.0, 20.0]


def test_an_argument_that_is_returned_as_it_is():
    @tf.custom_gradient
    def f(x):
        return x, lambda dy: 7.0 * dy

    assert _gradient(f, tf.constant(3.0))[0].numpy() == 7.0


def test_as_many_gradients_as_arguments():
    @tf.custom_gradient
    def f(x, y):
        return x * y, lambda dy: dy

    x = tf.constant(3.0)
    with pytest.raises(
        ValueError, match="custom_gradient function expected to return 2 gradients but returned 1 instead"
    ):
        _gradient(f, x, x)


def test_gradients_inside_are_those_of_operations():
    @tf.custom_gradient
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        inner = tape.gradient(y, x)
        return y, lambda dy: dy * inner * 10.0

    assert _gradient(f, tf.constant(3.0))[0].numpy() == 60.0


def test_second_derivatives_go_through_the_gradient_function():
    @tf.custom_gradient
    def f(x):
        return x * x, lambda dy: dy * x * x

    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    assert (first.numpy(), outer.gradient(first, x).numpy()) == (9.0, 6.0)


def test_stop_gradient():
    x = tf.constant(3.0)
    assert _gradient(lambda x: x * tf.stop_gradient(x), x)[0].numpy() == 3.0
    assert _gradient(tf.stop_gradient, x) == [None]


def test_pass_through():
    assert _gradient(tf.grad_pass_through(tf.round), tf.constant(3.7))[0].numpy() == 1.0


def test_recomputation_gives_the_same_gradients():
    calls = []

    def f(x, w):
        calls.append(1)
        return tf.tanh(tf.matmul(x, w))

    x = tf.constant([[1.0, 2.0]])
    w = tf.constant([[0.5], [0.25]])
    for plain, recomputed in zip(_gradient(f, x, w), _gradient(tf.recompute_grad(f), x, w), strict=True):
        np.testing.assert_array_equal(plain.numpy(), recomputed.numpy())
    assert len(calls) == 3
