"""Gradients of conditions equal the gradients of the taken branch."""

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture
def sess():
    with tf.Session() as made:
        yield made


@pytest.fixture
def p():
    return tf.placeholder(tf.bool, [], name="p")


_X = np.float32([0.5, -1.5, 2.0])
_BRANCHES = {
    "both": (lambda x: x * x, lambda x: tf.sin(x) * 3.0),
    "the tensor itself": (lambda x: x, lambda x: x * x * x),
    "a constant": (lambda x: tf.exp(x), lambda x: tf.ones([3])),
    "constants": (lambda x: tf.zeros([3]), lambda x: tf.ones([3])),
    "gathers": (lambda x: tf.gather(x, [0, 0, 2]), lambda x: tf.gather(x, [1, 2, 2]) * x),
}


@pytest.mark.parametrize("branches", _BRANCHES.values(), ids=_BRANCHES)
@pytest.mark.parametrize("taken", [True, False])
def test_gradients_are_those_of_the_branch(sess, p, branches, taken):
    x = tf.constant(_X)
    on, off = branches
    weights = tf.constant([1.0, 2.0, 3.0])
    [through] = tf.gradients(tf.cond(p, lambda: on(x), lambda: off(x)) * weights, x)
    [alone] = tf.gradients((on if taken else off)(x) * weights, x)
    if through is None:
        assert alone is None
        return
    expected = np.zeros(3) if alone is None else sess.run(tf.convert_to_tensor(alone))
    np.testing.assert_allclose(sess.run(tf.convert_to_tensor(through), {p: taken}), expected, rtol=1e-6)


def test_nested_and_second_derivatives(sess, p):
    q, x = tf.placeholder(tf.bool, [], name="q"), tf.constant(2.0)
    y = tf.cond(
        p, lambda: tf.cond(q, lambda: x**3, lambda: x**2), lambda: tf.cond(q, lambda: 5.0 * x, lambda: tf.log(x))
    )
    [first] = tf.gradients(y, x)
    [second] = tf.gradients(first, x)
    values = {
        (True, True): (12, 12),
        (True, False): (4, 2),
        (False, True): (5, 0),
        (False, False): (0.5, -0.25),
    }
    for (a, b), (one, two) in values.items():
        assert sess.run([first, second], {p: a, q: b}) == [pytest.approx(one), pytest.approx(two)]


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables(sess, p, use_resource):
    v = tf.get_variable("v", [2, 2], initializer=tf.ones_initializer(), use_resource=use_resource)
    sess.run(v.initializer)
    [grad] = tf.gradients(tf.cond(p, lambda: v * v * 3.0, lambda: tf.zeros([2, 2])), v)
    assert sess.run(grad, {p: True}).tolist() == [[6, 6], [6, 6]]
    assert sess.run(grad, {p: False}).tolist() == [[0, 0], [0, 0]]


def test_rows_of_variables(sess, p):
    v = tf.get_variable("v", [3, 2], initializer=tf.ones_initializer(), use_resource=True)
    sess.run(v.initializer)
    result = tf.cond(p, lambda: tf.gather(v, [0]), lambda: tf.gather(v, [1, 1]))
    [grad] = tf.gradients(result, v)
    dense = tf.convert_to_tensor(grad)
    assert sess.run(dense, {p: True}).tolist() == [[1, 1], [0, 0], [0, 0]]
    assert sess.run(dense, {p: False}).tolist() == [[0, 0], [2, 2], [0, 0]]


def test_training(sess, p):
    w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
    loss = tf.cond(p, lambda: tf.reduce_sum(tf.square(w - 3.0)), lambda: tf.reduce_sum(tf.square(w + 1.0)))
    step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    sess.run(w.initializer)
    sess.run(step, {p: True})
    assert sess.run(w).tolist() == [3, 3]
    sess.run(step, {p: False})
    assert sess.run(w).tolist() == [-1, -1]


def test_gradients_in_branches_and_bodies(sess, p):
    x = tf.constant(3.0)
    inside = tf.cond(p, lambda: tf.gradients(x**2, x)[0], lambda: x)
    assert [sess.run(inside, {p: value}) for value in (True, False)] == [6, 3]

    def body(i, y):
        z = tf.cond(i < 1, lambda: y * y, lambda: 3.0 * y)
        return i + 1, tf.gradients(z, y)[0]

    assert sess.run(tf.while_loop(lambda i, y: i < 2, body, [0, x])) == (2, 3)
    assert sess.run(tf.while_loop(lambda i, y: i < 1, body, [0, x])) == (1, 6)


def test_numerically(sess):
    x = tf.placeholder(tf.float64, [3], name="x")
    y = tf.cond(tf.reduce_sum(x) > 0.0, lambda: tf.exp(x) * x, lambda: tf.tanh(x))
    for start in ([0.5, 1.0, -0.25], [-0.5, -1.0, 0.25]):
        with sess.as_default():
            assert tf.test.compute_gradient_error(x, [3], y, [3], np.array(start)) < 1e-5
