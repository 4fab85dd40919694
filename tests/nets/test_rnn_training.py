"""Small networks learn, unrolled and in loops with equal results; gradients equal numeric ones."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos

_BATCH, _TIME = 16, 6


def _sequences(seed):
    """Random sequences of signs; the label is the first sign."""
    x = np.random.RandomState(seed).choice([-1.0, 1.0], [_BATCH, _TIME, 1]).astype(np.float32)
    return x, (x[:, 0, 0] > 0).astype(np.float32)


def _losses(kind, steps, lengths=None, optimizer=None):
    """The losses while training a network to remember the first input."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(5)
        x = tf.placeholder(tf.float32, [_BATCH, _TIME, 1])
        wanted = tf.placeholder(tf.float32, [_BATCH])
        cell = tf.nn.rnn_cell.LSTMCell(8, initializer=tf.random_uniform_initializer(-0.5, 0.5, seed=1))
        if kind == "dynamic":
            _, state = tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32)
        else:
            _, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), sequence_length=lengths, dtype=tf.float32)
        start = tf.random_uniform_initializer(-0.5, 0.5, seed=2)
        logits = tf.reshape(tf.matmul(state.h, tf.get_variable("out", [8, 1], initializer=start)), [_BATCH])
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=wanted, logits=logits))
        train = (optimizer or tf.train.AdamOptimizer(0.05)).minimize(loss)
        right = tf.reduce_mean(tf.cast(tf.equal(logits > 0, wanted > 0.5), tf.float32))
        session.run(tf.global_variables_initializer())
        found = []
        for step in range(steps):
            inputs, outputs = _sequences(step)
            found.append(session.run([loss, train], {x: inputs, wanted: outputs})[0])
        inputs, outputs = _sequences(1000)
        return np.array(found), session.run(right, {x: inputs, wanted: outputs})


@pytest.mark.parametrize("kind", ["static", "dynamic"])
def test_nets_learn_to_remember(kind):
    losses, right = _losses(kind, 100)
    assert losses[-1] < 0.1 * losses[0]
    assert right == 1


@pytest.mark.parametrize("lengths", [None, [1 + i % _TIME for i in range(_BATCH)]])
def test_loops_and_steps_train_alike(lengths):
    static, _ = _losses("static", 20, lengths, tf.train.GradientDescentOptimizer(0.5))
    dynamic, _ = _losses("dynamic", 20, lengths, tf.train.GradientDescentOptimizer(0.5))
    np.testing.assert_allclose(static, dynamic, rtol=1e-4)


def _cells():
    cells = tf.nn.rnn_cell
    return {
        "basic": lambda: cells.BasicRNNCell(2),
        "gru": lambda: cells.GRUCell(2),
        "basic_lstm": lambda: cells.BasicLSTMCell(2),
        "lstm": lambda: cells.LSTMCell(2, use_peepholes=True, num_proj=2),
        "joined": lambda: cells.LSTMCell(2, state_is_tuple=False),
        "stack": lambda: cells.MultiRNNCell([cells.GRUCell(2), cells.ResidualWrapper(cells.BasicRNNCell(2))]),
    }


@pytest.mark.parametrize("lengths", [None, [3, 1]])
@pytest.mark.parametrize("kind", ["static", "dynamic"])
@pytest.mark.parametrize("name", _cells())
def test_gradients_are_the_numeric_ones(name, kind, lengths):
    x = tf.constant(np.random.RandomState(0).uniform(-1, 1, [2, 3, 2]))
    cell = _cells()[name]()
    options = {"sequence_length": lengths, "dtype": tf.float64}
    with tf.variable_scope("net", initializer=tf.random_uniform_initializer(-1, 1, seed=4)):
        if kind == "dynamic":
            outputs, state = tf.nn.dynamic_rnn(cell, x, **options)
        else:
            outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), **options)
    loss = tf.add_n([tf.reduce_sum(tf.sin(result)) for result in tf.nest.flatten([outputs, state])])
    weights = tf.trainable_variables()
    gradients = tf.gradients(loss, weights)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for weight, gradient in zip(weights, session.run(gradients), strict=True):
            value = session.run(weight)
            for place in list(np.ndindex(value.shape))[:: max(1, value.size // 6)]:
                either = []
                for step in (1e-6, -1e-6):
                    changed = value.copy()
                    changed[place] += step
                    weight.load(changed, session)
                    either.append(session.run(loss))
                weight.load(value, session)
                np.testing.assert_allclose(gradient[place], (either[0] - either[1]) / 2e-6, rtol=1e-5, atol=1e-7)


def test_loops_by_tokens_yield_the_same():
    """Loops run by the dataflow machine give the same results, whether or not plans are optimized."""
    x = np.random.RandomState(2).uniform(-1, 1, [2, 5, 3]).astype(np.float32)
    found = []
    for compiles in (protos.RewriterConfig.OFF, protos.RewriterConfig.ON):
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            inputs = tf.placeholder(tf.float32, [None, None, 3])
            cell = tf.nn.rnn_cell.LSTMCell(4, num_proj=3)
            outputs, state = tf.nn.dynamic_rnn(cell, inputs, sequence_length=[5, 2], dtype=tf.float32)
            loss = tf.reduce_sum(outputs**2) + tf.reduce_sum(state.c)
            fetches = [outputs, state, tf.gradients(loss, [inputs, *tf.trainable_variables()])]
            options = tf.GraphOptions(rewrite_options=protos.RewriterConfig(loop_optimization=compiles))
            with tf.Session(config=tf.ConfigProto(graph_options=options)) as session:
                session.run(tf.global_variables_initializer())
                found.append(tf.nest.flatten(session.run(fetches, {inputs: x})))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_states_are_fed_back():
    """Running pieces of a sequence with the previous state gives the same outputs as the whole sequence."""
    x = np.random.RandomState(3).uniform(-1, 1, [2, 6, 3]).astype(np.float32)
    cells = tf.nn.rnn_cell
    stack = cells.MultiRNNCell([cells.LSTMCell(4), cells.GRUCell(3)])
    piece = tf.placeholder(tf.float32, [2, None, 3])
    first = stack.zero_state(2, tf.float32)
    outputs, last = tf.nn.dynamic_rnn(stack, piece, initial_state=first)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        whole = session.run(outputs, {piece: x})
        state, found = session.run(first), []
        for begin in (0, 2, 4):
            values, state = session.run([outputs, last], {piece: x[:, begin : begin + 2], first: state})
            assert isinstance(state[0], cells.LSTMStateTuple)
            found.append(values)
    np.testing.assert_allclose(np.concatenate(found, 1), whole, rtol=1e-5, atol=1e-6)
