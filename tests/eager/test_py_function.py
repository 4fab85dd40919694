"""Python functions as operations: called immediately in eager execution, and with tensors in graphs."""

import gc

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.ops.script import python_functions


def _scaled(x, factor):
    return x * factor, tf.reduce_sum(x)


class TestWhereOperationsAreExecuted:
    def test_py_function_gets_tensors(self, eager):
        scaled, total = tf.py_function(_scaled, [[1.0, 2.0], 3.0], [tf.float32, tf.float32])
        assert scaled.numpy().tolist() == [3.0, 6.0]
        assert total.numpy() == 3.0

    def test_py_func_gets_arrays(self, eager):
        seen = []

        def function(x, name):
            seen.append((type(x), x.tolist(), name))
            return x + 1

        result = tf.py_func(function, [tf.constant([1, 2]), b"n"], tf.int32)
        assert result.numpy().tolist() == [2, 3]
        assert seen == [(np.ndarray, [1, 2], b"n")]

    def test_results_have_the_types_asked_for(self, eager):
        assert tf.py_function(lambda: 1, [], tf.float64).dtype == tf.float64
        assert tf.numpy_function(lambda: None, [], []) is None
        with pytest.raises(ValueError, match="returns 1 values, but expects to see 2 values"):
            tf.py_function(lambda: 1, [], [tf.float32, tf.float32])

    def test_errors_come_out_as_they_are(self, eager):
        with pytest.raises(ZeroDivisionError):
            tf.py_function(lambda: 1 // 0, [], tf.int32)

    def test_tapes_see_what_py_function_calls(self, eager):
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(lambda x: x * x, [x], tf.float32)
        assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0]


@pytest.mark.usefixtures("no_default")
class TestInGraphs:
    def test_the_function_gets_tensors_with_values(self):
        seen = []

        def function(x):
            seen.append((tf.executing_eagerly(), x.numpy().tolist()))
            return tf.reduce_sum(x) + 1.0

        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.placeholder(tf.float32, [None])
            y = tf.py_function(function, [x], tf.float32)
            assert y.op.type == "EagerPyFunc"
            assert sess.run(y, {x: [1.0, 2.0]}) == 4.0
            assert not tf.executing_eagerly()
        assert seen == [(True, [1.0, 2.0])]

    def test_text_and_no_results(self):
        seen = []
        with tf.Graph().as_default(), tf.Session() as sess:
            op = tf.py_function(lambda text: seen.append(text.numpy()), [tf.constant("hé")], [])
            sess.run(op)
        assert seen == ["hé".encode()]

    def test_gradients_run_the_function_under_a_tape(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.placeholder(tf.float32, [2])
            n = tf.placeholder(tf.int32, [])
            unused = tf.constant(float("inf"))

            def function(x, n, unused):
                for _ in range(int(n)):
                    x = x * x
                return x

            y = tf.py_function(function, [x, n, unused], tf.float32)
            by_x, by_unused = tf.gradients(y, [x, unused])
            assert by_x.shape == (2,)
            feed = {x: [2.0, 3.0], n: 2}
            assert sess.run(by_x, feed).tolist() == [4 * 2.0**3, 4 * 3.0**3]
            assert sess.run(by_unused, feed) == 0.0

    def test_what_the_function_raises_is_the_cause(self):
        def function():
            raise ValueError("no good")

        with tf.Graph().as_default(), tf.Session() as sess:
            y = tf.py_function(function, [], tf.float32)
            with pytest.raises(tf.errors.InvalidArgumentError, match="ValueError: no good") as caught:
                sess.run(y)
        assert isinstance(caught.value.__cause__, ValueError)

    def test_functions_end_with_their_graph(self):
        gc.collect()
        before = python_functions.size()
        with tf.Graph().as_default():
            tf.py_function(lambda x: x, [1.0], tf.float32)
            assert python_functions.size() == before + 1
        gc.collect()
        assert python_functions.size() == before

    @pytest.mark.parametrize("several", [False, True])
    def test_functions_return_values_not_variables(self, several):
        def function():
            made = tf.Variable(1.0)
            return [2.0, made] if several else made

        with tf.Graph().as_default(), tf.Session() as sess:
            y = tf.py_function(function, [], [tf.float32] * 2 if several else tf.float32)
            with pytest.raises(
                tf.errors.UnknownError,
                match=r"Attempting to return a variable.* in question: <tf.Variable .*numpy=1.0>",
            ):
                sess.run(y)
