"""`tf.GradientTape` and variables: which are watched, and gradients by variables."""

import numpy as np
import pytest

import tinytf as tf
import tinytf.contrib.eager as tfe

pytestmark = pytest.mark.usefixtures("eager")


def _dense(gradient):
    return tf.convert_to_tensor(gradient).numpy()


def test_variables_that_are_read_are_watched():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
    assert tape.gradient(y, v).numpy() == 6.0
    assert [w is v for w in tape.watched_variables()] == [True]


def test_variables_come_in_the_order_of_their_making():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        b + a
    assert [w is v for w, v in zip(tape.watched_variables(), (a, b), strict=True)] == [True, True]


def test_untrainable_variables_are_not_watched():
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * v
    assert tape.watched_variables() == ()
    assert tape.gradient(y, v) is None


def test_untrainable_variables_can_be_watched():
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = v * v
    assert tape.gradient(y, v).numpy() == 6.0


def test_reads_need_not_be_watched():
    v, w = tf.Variable(3.0), tf.Variable(5.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        y = v * w
    assert [None if g is None else g.numpy() for g in tape.gradient(y, [v, w])] == [None, 3.0]


def test_zeros_for_unconnected_variables():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.constant(1.0)
    np.testing.assert_array_equal(tape.gradient(y, v, unconnected_gradients="zero").numpy(), [0.0, 0.0])


def test_a_variable_can_be_the_target():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        pass
    assert tape.gradient(v, v).numpy() == 1.0


def test_gathered_rows_have_sliced_gradients():
    v = tf.Variable([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as tape:
        y = tf.gather(v, [2, 0, 2])
    gradient = tape.gradient(y, v)
    assert isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(_dense(gradient), [[1.0], [0.0], [2.0]])


def test_values_between_two_reads_count():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * 2.0
        v.assign(10.0)
        z = y * v
    assert tape.gradient(z, v).numpy() == 26.0  # 2 * 10 through the first read, 6 through the second


def test_second_derivatives_by_a_variable():
    v = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = v * v * v
        first = inner.gradient(y, v)
    assert (first.numpy(), outer.gradient(first, v).numpy()) == (27.0, 18.0)


def test_custom_gradients_of_variables():
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def f(x):
        def grad(dy, variables=None):
            assert [w is v for w in variables] == [True]
            return dy * 10.0, [dy * 100.0]

        return x * v, grad

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert [g.numpy() for g in tape.gradient(y, [x, v])] == [10.0, 100.0]


def test_custom_gradients_must_know_their_variables():
    v = tf.Variable(3.0)
    f = tf.custom_gradient(lambda x: (x * v, lambda dy: dy))
    with pytest.raises(TypeError, match="grad_fn must accept a 'variables' keyword argument"):
        f(tf.constant(2.0))


def test_recomputation_with_variables():
    v = tf.Variable(3.0)
    f = tf.recompute_grad(lambda x: x * x * v)
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert [g.numpy() for g in tape.gradient(y, [x, v])] == [12.0, 4.0]


def test_implicit_gradients():
    a, b = tfe.Variable(3.0), tfe.Variable(5.0)
    value, pairs = tfe.implicit_value_and_gradients(lambda x: b * a * x)(2.0)
    assert value.numpy() == 30.0
    assert [(g.numpy(), v is w) for (g, v), w in zip(pairs, (a, b), strict=True)] == [(10.0, True), (6.0, True)]
    assert [g.numpy() for g, _ in tfe.implicit_gradients(lambda: a * a)()] == [6.0]
