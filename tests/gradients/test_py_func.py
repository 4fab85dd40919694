"""`tf.py_func` has no gradient unless the program defines one."""

import numpy as np
import pytest

import tinytf as tf


@pytest.mark.parametrize("stateful", [True, False])
def test_gradients_stop(stateful):
    x = tf.constant(3.0)
    y = tf.py_func(lambda v: v * v, [x], tf.float32, stateful=stateful)
    assert tf.gradients(y, x) == [None]
    with tf.Session() as sess:
        assert sess.run(tf.gradients(y + x, x)) == [1]


def test_gradient_by_override():
    """Programs give a py_func a gradient by overriding it with a registered one."""

    def square(x, name=None):
        with tf.name_scope(name, "Square", [x]):
            gradient = f"SquareGrad{tf.get_default_graph().unique_name('n')}{id(x)}"
            tf.RegisterGradient(gradient)(lambda op, grad: grad * 2.0 * op.inputs[0])
            with tf.get_default_graph().gradient_override_map({"PyFunc": gradient, "PyFuncStateless": gradient}):
                return tf.py_func(np.square, [x], [tf.float32], stateful=True, name=name)[0]

    x = tf.constant([1.0, 2.0])
    y = square(x)
    with tf.Session() as sess:
        value, gradient = sess.run([y, tf.gradients(y, x)[0]])
    assert value.tolist() == [1, 4] and gradient.tolist() == [2, 4]


def test_gradient_that_is_a_function_too():
    @tf.custom_gradient
    def cube(x):
        y = tf.py_func(lambda v: v**3, [x], tf.float64)
        return y, lambda grad: tf.py_func(lambda g, v: g * 3 * v**2, [grad, x], tf.float64)

    x = tf.constant([1.0, 2.0], tf.float64)
    y = cube(x)
    with tf.Session() as sess:
        assert sess.run(tf.gradients(y, x))[0].tolist() == [3, 12]
