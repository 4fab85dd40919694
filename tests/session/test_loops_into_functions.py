"""Loops whose results are consumed by a function that ignores some of them are pruned correctly."""

import random

import numpy as np
import pytest

import tinytf as tf
from tinytf.python.framework import function

_STEPS = (lambda v: tf.sin(v), lambda v: tf.identity(v), lambda v: v * 0.5)
_VALUE = np.float32([1.0, 2.0, 3.0])


def _called(kind, taken, values):
    """Calls a function with all values; it uses the values with the given indices."""

    def body(*arguments):
        return tf.add_n([tf.sin(arguments[i]) for i in taken])

    if kind == "tf.function":
        return tf.function(body, autograph=False)(*values)
    return function.Defun(*[tf.float32] * len(values))(body)(*values)


@pytest.mark.parametrize("number", range(12))
def test_gradients(number):
    """Gradients are the same as without the function."""
    choose = random.Random(number)
    steps = [choose.choice(_STEPS) for _ in range(choose.randint(2, 4))]
    taken = choose.sample(range(len(steps)), choose.randint(1, len(steps)))
    kind, fed = choose.choice(["tf.function", "Defun"]), choose.randrange(len(steps))
    x = tf.placeholder_with_default(_VALUE, [3])
    _, *values = tf.while_loop(
        lambda i, *v: i < 2, lambda i, *v: [i + 1, *(step(one) for step, one in zip(steps, v))], [0, *[x] * len(steps)]
    )
    plain = tf.gradients(tf.add_n([tf.sin(values[i]) for i in taken]), x)
    called = _called(kind, taken, values)
    called.set_shape([3])
    derived = tf.gradients(called, x)
    with tf.Session() as sess:
        for feed in ({}, {values[fed]: _VALUE}):
            np.testing.assert_allclose(sess.run(derived, feed), sess.run(plain, feed), rtol=1e-6)


def test_a_function_with_a_loop_whose_counter_is_ignored(sess):
    @function.Defun(tf.float32)
    def twice(a):
        i, y = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * 2.0), [0, a])
        return y, i

    x = tf.placeholder_with_default(1.0, [])
    y = twice(x)[0]
    y.set_shape([])
    assert sess.run(tf.gradients(y, x)) == [4.0]
