"""Checks for finite tensors: the ops they add to a graph, and their messages."""

import numpy as np
import pytest

import tinytf as tf


def _names():
    return [op.name for op in tf.get_default_graph().get_operations()]


def test_one_tensor():
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.verify_tensor_all_finite(x, "bad")
    assert _names() == ["x", "VerifyFinite/CheckNumerics", "VerifyFinite/control_dependency"]
    assert tf.debugging.assert_all_finite is tf.verify_tensor_all_finite
    z = tf.debugging.assert_all_finite(x=x, message="worse", name="z")
    with tf.Session() as sess:
        assert sess.run([y, z], {x: [1, 2]})[1].tolist() == [1, 2]
        for tensor, text, value in ((y, "bad : Tensor had NaN", np.nan), (z, "worse : Tensor had Inf", np.inf)):
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                sess.run(tensor, {x: [1, value]})
    with pytest.raises(ValueError, match="Cannot specify both 't' and 'x'"):
        tf.verify_tensor_all_finite(x, "m", x=x)


def test_a_whole_graph():
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.cast(tf.log(x, name="log"), tf.int32)
    tf.add(tf.constant(1.0, tf.float64), 1.0, name="double")
    check = tf.add_check_numerics_ops()
    checks = [op for op in tf.get_default_graph().get_operations() if op.type == "CheckNumerics"]
    assert [op.inputs[0].name for op in checks] == ["x:0", "log:0", "Const:0", "double/y:0", "double:0"]
    assert [op.control_inputs for op in checks[1:]] == [[op] for op in checks[:-1]]
    assert check.control_inputs == checks[-1:]
    with tf.Session() as sess:
        assert sess.run(check, {x: [1, 2]}) is None
        with pytest.raises(tf.errors.InvalidArgumentError, match="log:0 : Tensor had NaN"):
            sess.run(check, {x: [1, -2]})
    with tf.EagerSession(), pytest.raises(RuntimeError, match="not compatible with eager execution"):
        tf.add_check_numerics_ops()


def test_random_names():
    with tf.Session() as sess:
        assert tf.random.gamma([2], 1.0).name == "random_gamma/Maximum:0"
        assert sess.run(tf.random.poisson(1.0, [2])).shape == (2,)
