"""Loops in functions: variables they read, and TensorArrays, which are tensor lists in functions; with tapes."""

import numpy as np
import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")
X = np.arange(6, dtype=np.float32).reshape(3, 2)


def _gathered(values):
    return values.unstack(X).gather([2, 0])


def _scattered(values):
    return values.scatter([2, 0, 1], X).stack()


def _split(values):
    return values.split(X, [1, 1, 1]).concat()


def _grown(values):
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    _, array = tf.while_loop(lambda i, _: i < 4, lambda i, a: (i + 1, a.write(i, tf.cast(i, tf.float32))), (0, array))
    return array.stack() + tf.cast(array.size(), tf.float32)


def _written(values):
    return values.write(1, X[1]).write(0, X[0]).identity().write(2, X[2]).read(1) * tf.cast(values.size(), tf.float32)


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (_gathered, X[[2, 0]]),
        (_scattered, X[[1, 2, 0]]),
        (_split, X),
        (_grown, np.arange(4.0) + 4),
        (_written, X[1] * 3),
    ],
)
def test_arrays(use, expected):
    np.testing.assert_array_equal(tf.function(lambda: use(tf.TensorArray(tf.float32, 3)))().numpy(), expected)


def test_arrays_refuse_what_does_not_fit():
    def write(value):
        tf.function(lambda: tf.TensorArray(tf.float32, 3, element_shape=[2]).write(0, value).stack())()

    with pytest.raises(ValueError, match="Incompatible shape for value"):
        write(tf.zeros([3]))
    with pytest.raises(ValueError, match="Value to be written must be of type float32, not int32"):
        write(tf.constant([1, 2]))


def test_tapes_see_variables_that_loops_read():
    v = tf.Variable([1.5, 0.5])

    @tf.function
    def f(x):
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * v + x), [0, x])[1]

    x = tf.constant([2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, plain = f(x), x
        for _ in range(3):
            plain = plain * v + x
    for source in (v, x):
        for _ in range(2):  # a persistent tape can be differentiated again
            np.testing.assert_allclose(tape.gradient(y, source).numpy(), tape.gradient(plain, source).numpy(), 1e-6)
