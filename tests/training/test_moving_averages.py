"""Moving averages of variables and tensors."""

import numpy as np
import pytest

import tinytf as tf
from tinytf import train
from tinytf._src.training.moving_averages import assign_moving_average, weighted_moving_average


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_shadows_follow_variables(use_resource):
    w = tf.Variable([1.0, 2.0], name="w", use_resource=use_resource)
    change = w.assign([3.0, 4.0])
    average = train.ExponentialMovingAverage(0.75)
    update = average.apply()
    shadow = average.average(w)
    assert shadow.op.name == "w/ExponentialMovingAverage" == average.average_name(w)
    assert type(shadow) is type(w) and not shadow.trainable
    assert tf.moving_average_variables() == [w]
    assert update.name == "ExponentialMovingAverage"
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_allclose(sess.run(shadow), [1, 2])
        sess.run(change)
        sess.run(update)
        np.testing.assert_allclose(sess.run(shadow), [1.5, 2.5])
        sess.run(update)
        np.testing.assert_allclose(sess.run(shadow), [1.875, 2.875])


def test_number_of_updates_speeds_up_the_start():
    w = tf.Variable(0.0, name="w")
    average = train.ExponentialMovingAverage(0.99, num_updates=tf.constant(2))
    update = average.apply([w])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(w.assign(4.0))
        sess.run(update)
        np.testing.assert_allclose(sess.run(average.average(w)), 4.0 * (1 - 0.25), rtol=1e-6)


@pytest.mark.parametrize("zero_debias", [False, True])
def test_tensors(zero_debias):
    x = tf.placeholder_with_default(tf.constant([4.0]), [1], name="x")
    average = train.ExponentialMovingAverage(0.5, zero_debias=zero_debias)
    update = average.apply([x])
    values = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for fed in (4.0, 8.0):
            sess.run(update, {x: [fed]})
            values.append(sess.run(average.average(x))[0])
    assert values == ([4.0, pytest.approx(5 / 0.75)] if zero_debias else [2.0, 5.0])


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_assign_moving_average(use_resource):
    with tf.variable_scope("s", use_resource=use_resource):
        v = tf.get_variable("v", initializer=tf.constant([10.0]))
        plain = assign_moving_average(v, tf.constant([20.0]), 0.9, zero_debias=False)
        assert plain.op.name.startswith("s/AssignMovingAvg")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_allclose(sess.run(plain), [11.0], rtol=1e-6)


def test_weighted():
    value, weight = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    average = weighted_moving_average(value, 0.5, weight)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(average, {value: 2.0, weight: 1.0}) == pytest.approx(2.0)
        assert sess.run(average, {value: 5.0, weight: 3.0}) == pytest.approx((0.25 * 2 + 0.5 * 15) / (0.25 + 1.5))


def test_variables_to_restore():
    w, b = tf.Variable(1.0, name="w"), tf.Variable(1.0, name="b", trainable=False)
    average = train.ExponentialMovingAverage(0.9)
    assert average.variables_to_restore() == {"w/ExponentialMovingAverage": w, "b": b}


def test_integers_are_refused():
    i = tf.Variable(1, name="i")
    with pytest.raises(TypeError, match="The variables must be half, float, or double: i:0"):
        train.ExponentialMovingAverage(0.9).apply([i])
