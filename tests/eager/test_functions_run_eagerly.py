"""tf.config.experimental_run_functions_eagerly runs traced functions as plain Python functions."""

import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def _eagerly(eager):
    tf.config.experimental_run_functions_eagerly(True)
    yield
    tf.config.experimental_run_functions_eagerly(False)


def test_python_code_runs_at_each_call():
    seen = []

    @tf.function
    def f(x):
        seen.append(x.numpy())
        return x + 1.0

    assert [float(f(tf.constant(x))) for x in (1.0, 2.0)] == [2.0, 3.0]
    tf.config.experimental_run_functions_eagerly(False)
    with pytest.raises(AttributeError):
        f(tf.constant(3.0))  # without a value while it is traced
    assert seen == [1.0, 2.0]


def test_methods_and_gradients():
    class Model:
        w = 3.0

        @tf.function
        def apply(self, x):
            return x * x * self.w if float(x) > 0.0 else x

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = Model().apply(x)
    assert float(tape.gradient(y, x)) == 12.0


def test_within_other_functions():
    inner = tf.function(lambda x: x.numpy() + 1.0)
    outer = tf.function(lambda x: inner(x) * 2.0)
    assert float(outer(tf.constant(1.0))) == 4.0
