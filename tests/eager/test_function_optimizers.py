"""Optimizers in traced functions take the same steps as in eager execution."""

import pytest

import tinytf as tf

MAKERS = {
    "GradientDescent": lambda: tf.train.GradientDescentOptimizer(0.1),
    "Momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "Adam": lambda: tf.train.AdamOptimizer(0.1),
    "RMSProp": lambda: tf.train.RMSPropOptimizer(0.1),
    "Adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "Ftrl": lambda: tf.train.FtrlOptimizer(0.1),
}


def _trained(make, traced):
    with tf.EagerSession():
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        x = tf.constant([[1.0, 0.5]])
        steps = tf.Variable(0)
        optimizer = make()

        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.matmul(x, w) ** 2.0)
            optimizer.apply_gradients([(tape.gradient(loss, w), w)], global_step=steps)
            return loss

        if traced:
            step = tf.function(step)
        losses = [float(step(x)) for _ in range(4)]
        return losses, w.numpy().tolist(), int(steps.numpy())


@pytest.mark.parametrize("name", MAKERS)
def test_steps_are_those_of_executed_operations(name):
    losses, weights, steps = _trained(MAKERS[name], traced=True)
    assert (losses, weights, steps) == _trained(MAKERS[name], traced=False)
    assert losses[-1] < losses[0]
    assert steps == 4


def test_losses_that_are_functions():
    with tf.EagerSession():
        w, other = tf.Variable(2.0), tf.Variable(1.0)
        optimizer = tf.train.GradientDescentOptimizer(0.25)

        @tf.function
        def step():
            optimizer.minimize(lambda: w * w)
            return optimizer.compute_gradients(lambda: w * other, var_list=[w])[0][0]

        assert [float(step()) for _ in range(2)] == [1.0, 1.0]
        assert (w.numpy(), other.numpy()) == (0.5, 1.0)
