"""Functions with rewritten control flow have correct gradients."""

import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode


@pytest.fixture(autouse=True)
def _eager():
    with eager_mode(), tf.EagerSession():
        yield


def _squared_until(x, limit):
    y = x
    while y < limit:
        y = y * y
    return y


def _derivative(function):
    """The traced function together with its derivative."""

    @tf.function
    def both(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return y, tape.gradient(y, x)

    return lambda x: tuple(float(t) for t in both(tf.constant(x)))


def test_loops_with_a_number_of_iterations_that_depends_on_the_argument():
    both = _derivative(lambda x: _squared_until(x, 100.0))
    assert both(2.0) == (256.0, 1024.0)
    assert both(200.0) == (200.0, 1.0)


def test_loops_over_rows():
    rows = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def function(x):
        s = 0.0
        for row in rows:
            s += tf.reduce_sum(row * x * x)
        return s

    assert _derivative(function)(3.0) == (90.0, 60.0)


def test_branches():
    def function(x):
        if x > 0.0:
            return x * x
        elif x > -5.0:
            return -3.0 * x
        return 2.0 * x

    both = _derivative(function)
    assert [both(x)[1] for x in (4.0, -2.0, -7.0)] == [8.0, -3.0, 2.0]


def test_branches_of_functions_that_are_called_by_a_tape():
    @tf.function
    def function(x, y):
        if x > y:
            return x * x
        return x * y

    x, y = tf.constant(3.0), tf.constant(5.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = function(x, y)
    assert [float(d) for d in tape.gradient(z, [x, y])] == [5.0, 3.0]
