"""`Optimizer.minimize` and `compute_gradients` with a callable loss."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode


def _network():
    x = tf.constant(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3))
    labels = tf.constant([0, 1, 1, 0])
    w = tf.Variable(np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2), name="w", use_resource=True)
    b = tf.Variable([0.0, 0.1], name="b", use_resource=True)

    def loss():
        logits = tf.nn.tanh(tf.matmul(x, w) + b)
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))

    return loss, [w, b]


@pytest.mark.parametrize("optimizer", [tf.train.GradientDescentOptimizer, tf.train.AdamOptimizer])
def test_steps_are_those_of_a_graph(optimizer):
    with eager_mode(), tf.EagerSession():
        loss, variables = _network()
        descent = optimizer(0.1)
        for _ in range(3):
            assert descent.minimize(loss) is None
        executed = [v.numpy() for v in variables]
    with tf.Graph().as_default(), tf.Session() as sess:
        loss, variables = _network()
        train = optimizer(0.1).minimize(loss())
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train)
        for value, expected in zip(executed, sess.run(variables), strict=True):
            np.testing.assert_allclose(value, expected, rtol=1e-6)


@pytest.mark.usefixtures("eager")
def test_variables_are_those_that_the_loss_reads():
    v, frozen = tf.Variable(3.0), tf.Variable(2.0, trainable=False)
    tf.Variable(5.0)
    [(gradient, variable)] = tf.train.GradientDescentOptimizer(1.0).compute_gradients(lambda: v * v * frozen)
    assert variable is v
    assert float(gradient) == 12.0


@pytest.mark.usefixtures("eager")
def test_given_variables_keep_their_order_and_may_have_no_gradient():
    v, w = tf.Variable(3.0), tf.Variable(2.0)
    pairs = tf.train.GradientDescentOptimizer(1.0).compute_gradients(lambda: v * v, var_list=[w, v])
    assert [variable for _, variable in pairs] == [w, v]
    assert pairs[0][0] is None
    assert float(pairs[1][0]) == 6.0
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        tf.train.GradientDescentOptimizer(1.0).minimize(lambda: v * v, var_list=[w])


@pytest.mark.usefixtures("eager")
def test_the_gradient_of_the_loss_may_be_given_and_steps_counted():
    v, step = tf.Variable(3.0), tf.Variable(0, dtype=tf.int64)
    tf.train.GradientDescentOptimizer(1.0).minimize(lambda: v * v, global_step=step, grad_loss=tf.constant(0.5))
    assert (float(v), int(step)) == (0.0, 1)
