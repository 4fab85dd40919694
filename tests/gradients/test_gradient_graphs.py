"""Gradients need neither values for statically known shapes nor a particular creation order."""

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture
def sess():
    with tf.Session() as session:
        yield session


KNOWN = {
    "sum": tf.reduce_sum,
    "mean": tf.reduce_mean,
    "bias": lambda x: x + tf.ones([4]),
    "factor": lambda x: x * 2.0,
    "quotient": lambda x: x / tf.constant([[2.0], [4.0]]),
    "product": lambda x: tf.matmul(x, tf.ones([4, 3])),
    "reshape": lambda x: tf.reshape(x, [8]) * 3.0,
    "transpose": lambda x: tf.transpose(x) * 3.0,
    "concat": lambda x: tf.concat([x, x], 1),
    "slice": lambda x: x[1:, ::2],
    "pad": lambda x: tf.pad(x, [[1, 1], [0, 0]]),
    "gather": lambda x: tf.gather(x, [1]) * 2.0,
    "stack": lambda x: tf.stack([x, x]),
    "tile": lambda x: tf.tile(x, [2, 1]),
    "expand": lambda x: tf.expand_dims(x, 0),
    "where": lambda x: tf.where(tf.constant([[True] * 4] * 2), x, x * 2.0),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_shapes_need_no_values(name, sess):
    x = tf.placeholder(tf.float32, [2, 4])
    gradient = tf.convert_to_tensor(tf.gradients(KNOWN[name](x), x)[0])
    assert gradient.shape == [2, 4]
    assert sess.run(gradient).shape == (2, 4)  # works without feeding x


def test_a_training_step_does_not_compute_the_loss(sess):
    calls = []
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    term = tf.py_func(lambda: calls.append(1) or np.float32(0), [], tf.float32)
    term.set_shape([])
    loss = tf.reduce_sum(w * w) + term
    train = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
    sess.run(w.initializer)
    sess.run(train)
    assert calls == [] and sess.run(w).tolist() == [0.5, 0.5]


def test_one_tower():
    x = tf.ones([2, 3])
    assert tf.gradients(tf.split(x, 1)[0] * 2.0, x)[0].shape == [2, 3]
    assert tf.gradients(tf.split(x, [3], 1)[0] * 2.0, x)[0].shape == [2, 3]


@pytest.mark.parametrize("shape", [[5, 3], [None, 3]])
def test_dense_gradients_of_gathers_have_shapes(shape):
    x = tf.placeholder(tf.float32, shape)
    rows = tf.gradients(tf.gather(x, [1, 1]), x)[0]
    assert isinstance(rows, tf.IndexedSlices)
    assert tf.convert_to_tensor(rows).shape.as_list() == shape


@pytest.mark.parametrize(
    "batch_dims, axis, indices", [(1, 1, [2, 2]), (1, 2, [2, 3]), (2, 2, [2, 3, 1]), (-1, 1, [2, 2])]
)
def test_gathers_in_batches(batch_dims, axis, indices, sess):
    generator = np.random.RandomState(0)
    params = tf.constant(generator.randn(2, 3, 4))
    places = tf.constant(generator.randint(0, 3, indices))
    picked = tf.gather(params, places, batch_dims=batch_dims, axis=axis)
    weights = generator.randn(*picked.shape.as_list())
    found = sess.run(tf.gradients(picked, params, weights)[0])
    # Each gradient element is added at the position from which the gather took it.
    positions = tf.gather(tf.reshape(tf.range(24), [2, 3, 4]), places, batch_dims=batch_dims, axis=axis)
    expected = np.zeros(24)
    np.add.at(expected, sess.run(positions).ravel(), weights.ravel())
    np.testing.assert_allclose(found.ravel(), expected, rtol=1e-12)


def test_inputs_may_be_younger_than_their_users(sess):
    x = tf.constant(3.0)
    y = tf.identity(tf.constant(0.0)) * 5.0
    y.op._update_input(0, x * x)
    assert sess.run([y, tf.gradients(y, x)[0]]) == [45.0, 30.0]
