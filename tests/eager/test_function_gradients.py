"""Gradients of traced functions on tapes."""

import numpy as np
import pytest
from function_helpers import Recording, variable_handle

import tinytf as tf
from tinytf._gen import gen_ops

pytestmark = pytest.mark.usefixtures("eager")


@tf.function
def cube(x):
    return x * x * x


def test_a_call_is_one_record():
    x = tf.constant(3.0)
    with Recording(x) as recording:
        y = cube(x)
    assert float(y) == 27.0
    assert recording.names() == ["cube"]
    assert float(recording.last_gradient(x)[0]) == 27.0


def test_second_and_third_order():
    x = tf.constant(2.0)
    with tf.GradientTape() as third:
        third.watch(x)
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = cube(x)
            d1 = first.gradient(y, x)
        d2 = second.gradient(d1, x)
    d3 = third.gradient(d2, x)
    assert [float(d) for d in (d1, d2, d3)] == [12.0, 12.0, 6.0]


def test_through_captured_variables():
    handle = variable_handle(tf.constant([1.0, 2.0]), "weights")

    @tf.function
    def f(x):
        return tf.reduce_sum(gen_ops.read_variable_op(handle, dtype=tf.float32) * x)

    x = tf.constant([3.0, 4.0])
    with Recording(handle, x) as recording:
        f(x)
    by_weights, by_x = recording.last_gradient(handle, x)
    np.testing.assert_array_equal(by_weights, [3.0, 4.0])
    np.testing.assert_array_equal(by_x, [1.0, 2.0])


def test_a_variable_that_changes_after_the_call_does_not_matter():
    w = tf.Variable(2.0)

    @tf.function
    def f(x):
        before = w.value()
        w.assign(100.0)
        return before * before * x

    x = tf.constant(1.0)
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape() as first:
            first.watch(x)
            y = f(x)
        by_w, by_x = first.gradient(y, [w, x])
    assert (float(by_w), float(by_x), w.numpy()) == (4.0, 4.0, 100.0)
    assert float(second.gradient(by_x, w)) == 4.0


def test_random_numbers_are_those_of_the_call():
    @tf.function
    def f(x):
        return x * tf.random_uniform([4], seed=3)

    x = tf.constant(1.0)
    with Recording(x) as recording:
        y = f(x)
    np.testing.assert_allclose(recording.last_gradient(x)[0], np.sum(y.numpy()), rtol=1e-6)


def test_gathered_rows_have_sparse_gradients():
    handle = variable_handle(tf.constant([[1.0], [2.0], [3.0]]), "rows")

    @tf.function
    def f(indices):
        return gen_ops.resource_gather(handle, indices, dtype=tf.float32)

    with Recording(handle) as recording:
        f(tf.constant([2, 0]))
    (slices,) = recording.last_gradient(handle)
    assert slices.indices.numpy().tolist() == [2, 0]
    assert slices.values.numpy().tolist() == [[1.0], [1.0]]


def test_symbolic_gradients_inside():
    @tf.function
    def f(x):
        return tf.gradients(x * x, x)[0]

    x = tf.constant(3.0)
    with Recording(x) as recording:
        assert float(f(x)) == 6.0
    assert float(recording.last_gradient(x)[0]) == 2.0


@pytest.mark.parametrize("f", [tf.math.lgamma, tf.math.digamma], ids=["lgamma", "digamma"])
def test_second_order_of_special_functions(f):
    """The gradients of these functions contain polygamma functions of scalar order."""
    x = tf.constant([1.5, 2.5])
    traced = tf.function(f)
    found = []
    for call in (f, traced):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = call(x)
            first = inner.gradient(y, x)
        found.append(outer.gradient(first, x).numpy())
    np.testing.assert_allclose(found[1], found[0], 1e-5)
