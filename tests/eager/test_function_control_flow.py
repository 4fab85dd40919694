"""Raw control flow ops (Switch, Merge, …) placed by a program in traced functions."""

import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def _eager():
    with tf.EagerSession():
        yield


def _count_to(limit):
    raw = tf.raw_ops
    enter = raw.Enter(data=tf.constant(0), frame_name="loop")
    merged = raw.Merge(inputs=[enter, enter]).output
    less = tf.less(merged, raw.Enter(data=limit, frame_name="loop", is_constant=True))
    branch = raw.Switch(data=merged, pred=raw.LoopCond(input=less))
    one = raw.Enter(data=tf.constant(1), frame_name="loop", is_constant=True)
    merged.op._update_input(1, raw.NextIteration(data=tf.identity(branch.output_true) + one))
    return raw.Exit(data=branch.output_false)


def test_a_function_that_is_called_twice_has_two_loops():
    counted = tf.function(_count_to)
    twice = tf.function(lambda limit: counted(limit) + counted(limit * 2))
    assert int(counted(tf.constant(7))) == 7
    assert [int(twice(tf.constant(n))) for n in (5, 0, 100)] == [15, 0, 300]


def test_a_loop_in_a_branch_in_a_function():
    @tf.function
    def f(predicate, limit):
        branch = tf.raw_ops.Switch(data=limit, pred=predicate)
        return tf.raw_ops.Merge(inputs=[-branch.output_false, _count_to(branch.output_true)]).output

    assert int(f(tf.constant(False), tf.constant(3))) == -3
    assert int(f(tf.constant(True), tf.constant(3))) == 3


def test_a_branch_in_a_function():
    @tf.function
    def f(predicate, x):
        branch = tf.raw_ops.Switch(data=x, pred=predicate)
        return tf.raw_ops.Merge(inputs=[branch.output_false * 2.0, branch.output_true + 1.0]).output

    assert float(f(tf.constant(True), tf.constant(3.0))) == 4.0
    assert float(f(tf.constant(False), tf.constant(3.0))) == 6.0
