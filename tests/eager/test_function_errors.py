"""Error messages of traced functions."""

import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def test_errors_name_the_line_of_the_program():
    @tf.function
    def f(x, i):
        return tf.gather(x, i, name="picked")

    with pytest.raises(tf.errors.InvalidArgumentError, match="picked") as caught:
        f(tf.constant([1.0]), tf.constant(7))
    assert caught.value.op.name == "picked"
    assert "test_function_errors.py" in str(caught.value)


def test_only_tensors_are_returned():
    with pytest.raises(
        TypeError, match="must return zero or more Tensors; in compilation of f, found return value of type"
    ):

        @tf.function
        def f(x):
            return object()

        f(tf.constant(1.0))


def test_a_failed_trace_leaves_nothing_behind():
    @tf.function
    def f(x, fail):
        if fail:
            raise KeyError("no")
        return x

    with pytest.raises(KeyError):
        f(tf.constant(1.0), True)
    assert float(tf.constant(1.0) + 1.0) == 2.0
    assert float(f(tf.constant(1.0), False)) == 1.0


def test_endless_recursion():
    @tf.function
    def f(x):
        return f(x)

    with pytest.raises(RecursionError):
        f(tf.constant(1.0))


def test_arguments_that_do_not_fit_the_parameters():
    f = tf.function(lambda x: x)
    with pytest.raises(TypeError):
        f()
    with pytest.raises(TypeError):
        f(tf.constant(1.0), y=2)


@pytest.mark.parametrize("body", [lambda x: 1 if x > 0.0 else 2, lambda x: list(x)])
def test_values_are_not_known_while_a_function_is_traced(body):
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="AutoGraph is disabled in this function"):
        tf.function(body, autograph=False)(tf.constant(1.0))
    with tf.Graph().as_default(), pytest.raises(TypeError, match="decorate this function with @tf.function"):
        body(tf.placeholder(tf.float32, []))
