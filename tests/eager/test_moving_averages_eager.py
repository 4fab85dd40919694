"""Moving averages in eager execution."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import graph_mode
from tinytf._src.training.moving_averages import assign_moving_average


@pytest.fixture(autouse=True)
def _fresh_collections(eager):
    yield
    tf.reset_default_graph()  # the default graph keeps variables with averages


def test_shadows_follow_at_once():
    v = tf.Variable([4.0, 8.0], name="v")
    averages = tf.train.ExponentialMovingAverage(0.5)
    assert averages.apply([v]) is None
    shadow = averages.average(v)
    assert shadow.name == "v/ExponentialMovingAverage:0"
    assert averages.average_name(v) == "v/ExponentialMovingAverage"
    v.assign([8.0, 0.0])
    averages.apply([v])
    np.testing.assert_array_equal(shadow.numpy(), [6.0, 4.0])


def test_early_averages_move_faster():
    v, step = tf.Variable(0.0), tf.Variable(0)
    averages = tf.train.ExponentialMovingAverage(0.99, num_updates=step)
    averages.apply([v])
    v.assign(1.0)
    averages.apply([v])
    assert float(averages.average(v)) == pytest.approx(0.9)


def test_tensors_have_no_averages():
    with pytest.raises(TypeError, match="does not support non-Variable tensors when eager execution is enabled."):
        tf.train.ExponentialMovingAverage(0.5).apply([tf.constant(1.0)])


def test_debiased_averages_are_those_of_a_graph():
    values = [2.0, 4.0, -1.0]
    v = tf.Variable(0.0)
    executed = [float(assign_moving_average(v, tf.constant(x), 0.9)) for x in values]
    with graph_mode(), tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        moved = assign_moving_average(tf.Variable(0.0, use_resource=True), x, 0.9)
        sess.run(tf.global_variables_initializer())
        assert executed == [float(sess.run(moved, {x: value})) for value in values]
