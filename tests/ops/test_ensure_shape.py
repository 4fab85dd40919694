"""The error of `ensure_shape` names its input tensor, as in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode
from tinytf.python.framework.function import Defun


def _inputs(x):
    """Tensors with the names that the error must contain."""
    v = tf.Variable(x, name="v", validate_shape=False)
    yield "Quot", tf.divide(x, 2.0, name="Quot"), "[2,1]"
    yield "split:1", tf.split(x, 2)[1], "[1,1]"
    yield "_arg_x_0_0", x, "[2,1]"
    yield "v/read", v, "[2,1]"
    yield "call", tf.py_func(lambda: np.ones([4], np.float32), [], tf.float32, name="call"), "[4]"


def test_the_input_is_named():
    x = tf.placeholder(tf.float32, None, name="x")
    for name, y, shape in _inputs(x):
        checked = tf.ensure_shape(y, [3, None])
        with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError) as raised:
            sess.run(tf.global_variables_initializer(), {x: [[1.0], [2.0]]})
            sess.run(checked, {x: [[1.0], [2.0]]})
        text = f"Shape of tensor {name} {shape} is not compatible with expected shape [3,?]."
        assert raised.value.message.splitlines()[0] == text
        assert raised.value.op is checked.op


def test_in_branches_and_functions():
    x = tf.placeholder(tf.float32, None, name="x")

    @Defun(tf.float32)
    def f(a):
        return tf.ensure_shape(tf.square(a, name="sq"), [3])

    branch = tf.cond(x[0] > 0.0, lambda: tf.ensure_shape(tf.add(x, 1.0, name="more"), [3]), lambda: x)
    with tf.Session() as sess:
        for y, name in ((branch, "cond/more"), (f(x), "f_.*/sq")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=rf"Shape of tensor {name} \[2\] is not"):
                sess.run(y, {x: [1.0, 2.0]})
            assert sess.run(y, {x: [1.0, 2.0, 3.0]}).shape == (3,)


@pytest.mark.usefixtures("eager_session_of_the_process")
def test_executed_it_has_no_name():
    with eager_mode(), pytest.raises(tf.errors.InvalidArgumentError, match=r"Shape of tensor dummy_input \[2\] is not"):
        tf.ensure_shape(tf.constant([1.0, 2.0]), [3])


def test_the_name_is_no_attr():
    y = tf.ensure_shape(tf.placeholder(tf.float32, None, name="x"), [1])
    with tf.Session() as sess:
        sess.run(y, {"x:0": [1.0]})
    assert sorted(y.op.node_def.attr) == ["T", "shape"]
