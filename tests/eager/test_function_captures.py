"""Captured tensors in traced functions."""

import pytest
from function_helpers import variable_handle

import tinytf as tf
from tinytf._gen import gen_ops

pytestmark = pytest.mark.usefixtures("eager")


def test_outer_tensors_become_inputs():
    c = tf.constant(5.0)

    @tf.function
    def f(x):
        return x * c + c

    x = tf.constant(2.0)
    assert float(f(x)) == 15.0
    concrete = f.get_concrete_function(x)
    assert len(concrete.captured_inputs) == 1
    assert concrete.captured_inputs[0] is c
    assert len(concrete.inputs) == 2


def test_captures_may_be_all_there_is():
    c = tf.constant([1.0, 2.0])
    assert tf.function(lambda: c)().numpy().tolist() == [1.0, 2.0]


def test_captured_handles_lead_to_the_same_variable():
    handle = variable_handle(tf.constant(1.0), "captured")

    @tf.function
    def add(x):
        gen_ops.assign_add_variable_op(handle, x)
        return gen_ops.read_variable_op(handle, dtype=tf.float32)

    assert float(add(tf.constant(2.0))) == 3.0
    gen_ops.assign_variable_op(handle, tf.constant(10.0))
    assert float(add(tf.constant(2.0))) == 12.0
    assert float(gen_ops.read_variable_op(handle, dtype=tf.float32)) == 12.0


def test_plain_graphs_take_no_eager_tensors():
    c = tf.constant(1.0)
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="without building a function"):
        tf.constant(2.0) + c
