"""Gradients inside functions through outer while loops, which TensorFlow 1.15 refuses, equal the gradients of the
same loops outside of functions.
"""

import numpy as np
import pytest

import tinytf as tf
from tinytf.python.framework.function import Defun

X = np.array([[0.5, 1.5], [2.0, 0.25]])


def _loop(x, step):
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, step(y)), [0, x])[1]


def _first_of_two(y, x):
    """The second element has no gradient, so its gradient is zeros of an unknown shape."""
    return tf.unstack(tf.stack([y * x, y]), num=2)[0]


LOOPS = {
    "a variable without gradients": lambda x: _loop(x, lambda y: _first_of_two(y, x)),
    "in a loop": lambda x: _loop(x, lambda y: _loop(y, lambda z: tf.sin(_first_of_two(z, y)))),
    "in a branch": lambda x: _loop(x, lambda y: tf.cond(y[0, 0] < 1.0, lambda: _first_of_two(y, x), lambda: tf.sin(y))),
    "a map": lambda x: tf.map_fn(lambda row: tf.sin(row) * row, x),
    "a map in a map": lambda x: tf.map_fn(lambda row: tf.map_fn(lambda e: tf.sin(e) * row[0], row), x),
    "a scan": lambda x: tf.scan(lambda sum, row: sum * row + sum, x),
}


def _in_function(gradients):
    return tf.function(gradients, autograph=False)()


def _in_two_functions(gradients):
    return _in_function(lambda: _in_function(gradients))


def _in_defun(gradients):
    def body():
        return gradients()

    return Defun()(body)()


@pytest.mark.parametrize("call", [_in_function, _in_two_functions, _in_defun])
@pytest.mark.parametrize("loop", LOOPS)
def test_gradients_in_a_function_are_those_outside(loop, call):
    x = tf.placeholder_with_default(X, None)
    y = tf.exp(LOOPS[loop](x) * 0.1)
    inside = call(lambda: tf.gradients(y, x)[0])
    again = call(lambda: tf.gradients(y, x)[0])
    outside = tf.gradients(y, x)[0]
    with tf.Session() as session:
        values = session.run([outside, inside, again])
    assert np.isfinite(values[0]).all() and values[0].any()
    np.testing.assert_allclose(values[1], values[0], 1e-12)
    np.testing.assert_allclose(values[2], values[0], 1e-12)


def test_a_function_in_a_loop_goes_through_a_loop_in_that():
    x = tf.placeholder_with_default([1.0, 2.0], [2])

    def step(y, call):
        inner = _loop(y, lambda z: tf.sin(z) * x)
        return y + call(lambda: tf.gradients(tf.exp(inner), y)[0])

    found = [_loop(x, lambda y, call=call: step(y, call)) for call in (_in_function, lambda gradients: gradients())]
    with tf.Session() as session:
        in_function, plain = session.run(found)
    np.testing.assert_allclose(in_function, plain, 1e-6)
