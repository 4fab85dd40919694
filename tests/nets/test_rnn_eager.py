"""Cells and networks give the same values in eager execution as in graphs, and have gradients."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode

_X = np.random.RandomState(1).uniform(-1, 1, [2, 3, 4]).astype(np.float32)
_LENGTHS = [3, 1]


def _cell():
    cells = tf.nn.rnn_cell
    return cells.MultiRNNCell([cells.LSTMCell(3, use_peepholes=True), cells.GRUCell(3)])


def _nets(cell, x):
    """All outputs and states of some networks, as a flat list."""

    def step(time, output, state, seen):
        if output is None:
            state, seen = cell.zero_state(2, tf.float32), tf.constant(0)
        return tf.greater_equal(time, tf.constant(_LENGTHS)), x[:, 0], state, output, seen + 1

    raw, state, seen = tf.nn.raw_rnn(cell, step)
    steps = tf.unstack(x, axis=1)
    return tf.nest.flatten(
        [
            tf.nn.dynamic_rnn(cell, x, dtype=tf.float32),
            tf.nn.dynamic_rnn(cell, x, sequence_length=_LENGTHS, dtype=tf.float32),
            tf.nn.static_rnn(cell, steps, dtype=tf.float32),
            tf.nn.static_rnn(cell, steps, sequence_length=_LENGTHS, dtype=tf.float32),
            tf.nn.bidirectional_dynamic_rnn(cell, cell, x, sequence_length=_LENGTHS, dtype=tf.float32),
            tf.nn.static_bidirectional_rnn(cell, cell, steps, sequence_length=_LENGTHS, dtype=tf.float32),
            (raw.stack(), state, seen),
        ]
    )


@pytest.fixture(scope="module")
def of_graph():
    """The results of a graph, the weights, and the gradients of the sum of squares of all outputs."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(3)
        cell = _cell()
        x = tf.constant(_X)
        results = _nets(cell, x)
        loss = tf.add_n([tf.reduce_sum(result**2) for result in results if result.dtype.is_floating])
        gradients = tf.gradients(loss, cell.variables)
        session.run(tf.global_variables_initializer())
        return session.run([results, cell.variables, gradients])


@pytest.fixture
def eager():
    with eager_mode(), tf.EagerSession():
        yield


def _built(weights):
    cell = _cell()
    cell(tf.constant(_X[:, 0]), cell.zero_state(2, tf.float32))
    cell.set_weights(weights)
    return cell


def test_values_are_the_graphs(of_graph, eager):
    results, weights, _ = of_graph
    cell = _built(weights)
    for found, wanted in zip(cell.get_weights(), weights, strict=True):
        np.testing.assert_array_equal(found, wanted)
    for found, wanted in zip(_nets(cell, tf.constant(_X)), results, strict=True):
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-5, atol=1e-6)


def test_derivatives_are_the_graphs(of_graph, eager):
    _, weights, gradients = of_graph
    cell = _built(weights)
    with tf.GradientTape() as tape:
        results = _nets(cell, tf.constant(_X))
        loss = tf.add_n([tf.reduce_sum(result**2) for result in results if result.dtype.is_floating])
    for found, wanted in zip(tape.gradient(loss, cell.variables), gradients, strict=True):
        np.testing.assert_allclose(found.numpy(), wanted, rtol=2e-5, atol=1e-5)


def test_traced_functions_have_nets(of_graph, eager):
    _, weights, _ = of_graph
    cell = _built(weights)

    @tf.function
    def run(x):
        return tf.nn.dynamic_rnn(cell, x, sequence_length=_LENGTHS, dtype=tf.float32)[0]

    x = tf.constant(_X)
    wanted = tf.nn.dynamic_rnn(cell, x, sequence_length=_LENGTHS, dtype=tf.float32)[0]
    for _ in range(2):
        np.testing.assert_allclose(run(x).numpy(), wanted.numpy(), rtol=1e-6, atol=1e-6)


def test_losses_are_those_of_the_last_call(eager):
    cell = tf.nn.rnn_cell.GRUCell(3, activity_regularizer=tf.reduce_sum)
    x = tf.constant(_X[:, 0])
    for _ in range(2):
        output, _ = cell(x, cell.zero_state(2, tf.float32))
    assert [loss.numpy() for loss in cell.losses] == [tf.reduce_sum(output).numpy() / 2] * len(cell.losses)
    assert len(cell.losses) == 2  # of the output, and of the state, which is the same tensor


def test_lengths_of_another_number_are_not_checked_but_do_not_fit(eager):
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), tf.constant(_X), sequence_length=[1, 2, 3], dtype=tf.float32)


def _fused():
    """A layer for each fused op."""
    contrib = tf.contrib.rnn
    return [
        contrib.LSTMBlockCell(4, use_peephole=True),
        contrib.GRUBlockCell(4),
        contrib.LSTMBlockFusedCell(4, use_peephole=True),
    ]


def _run_fused(layers, x):
    """All outputs of the layers, as a flat list."""
    lstm, gru, net = layers
    steps = [cell(x[:, 0], cell.zero_state(2, tf.float32)) for cell in (lstm, gru)]
    return tf.nest.flatten([steps, net(tf.transpose(x, [1, 0, 2]), dtype=tf.float32, sequence_length=_LENGTHS)])


def test_fused_cells_have_the_graphs_values_and_derivatives():
    with tf.Graph().as_default(), tf.Session() as session:
        layers, x = _fused(), tf.constant(_X)
        results = _run_fused(layers, x)
        variables = [variable for layer in layers for variable in layer.variables]
        gradients = tf.gradients(tf.add_n([tf.reduce_sum(result**2) for result in results]), [x, *variables])
        session.run(tf.global_variables_initializer())
        of_graph = session.run([results, gradients, [layer.variables for layer in layers]])
    with eager_mode(), tf.EagerSession():
        layers, x = _fused(), tf.constant(_X)
        _run_fused(layers, x)
        for layer, weights in zip(layers, of_graph[2], strict=True):
            layer.set_weights(weights)
        with tf.GradientTape() as tape:
            tape.watch(x)
            results = _run_fused(layers, x)
            loss = tf.add_n([tf.reduce_sum(result**2) for result in results])
        gradients = tape.gradient(loss, [x, *(variable for layer in layers for variable in layer.variables)])
        for found, wanted in zip([*results, *gradients], [*of_graph[0], *of_graph[1]], strict=True):
            np.testing.assert_allclose(found.numpy(), wanted, rtol=2e-5, atol=1e-5)


_GRID = {"feature_size": 2, "frequency_skip": 1, "num_frequency_blocks": [3], "use_peepholes": True}


@pytest.mark.parametrize(
    "make",
    [
        lambda: tf.contrib.rnn.CoupledInputForgetGateLSTMCell(3, True, num_proj=2),
        lambda: tf.contrib.rnn.TimeFreqLSTMCell(3, True, feature_size=4),
        lambda: tf.contrib.rnn.GridLSTMCell(2, **_GRID),
        lambda: tf.contrib.rnn.BidirectionalGridLSTMCell(2, **_GRID),
        lambda: tf.contrib.rnn.GLSTMCell(4, number_of_groups=2),
    ],
    ids=["coupled", "time_frequency", "grid", "grid_both_ways", "groups"],
)
def test_cells_whose_call_makes_variables_have_the_graphs_values_and_derivatives(make):
    def step():
        x, cell = tf.constant(_X[:, 0]), make()
        with tf.variable_scope("s", initializer=tf.constant_initializer(0.3)):
            output, state = cell(x, cell.zero_state(2, tf.float32))
        return cell.variables, [tf.reduce_sum(value**2) for value in [output, *tf.nest.flatten(state)]]

    with tf.Graph().as_default(), tf.Session() as session:
        variables, values = step()
        gradients = tf.gradients(tf.add_n(values), variables)
        session.run(tf.global_variables_initializer())
        wanted = session.run([*values, *[tf.zeros([]) if g is None else g for g in gradients]])
    with eager_mode(), tf.EagerSession():
        with tf.GradientTape() as tape:
            variables, values = step()
            loss = tf.add_n(values)
        found = [*values, *[tf.zeros([]) if g is None else g for g in tape.gradient(loss, variables)]]
        for value, of_graph in zip(found, wanted, strict=True):
            np.testing.assert_allclose(value.numpy(), of_graph, rtol=1e-5, atol=1e-6)


def test_what_is_of_graphs_alone_is_told(eager):
    cells, x = tf.contrib.rnn, tf.constant(_X[:, 0])
    compiled, phased = cells.CompiledWrapper(cells.GRUCell(3)), cells.PhasedLSTMCell(3)
    with pytest.raises(RuntimeError, match=r"^xla.experimental.jit_scope is not supported when eager execution is"):
        compiled(x, compiled.zero_state(2, tf.float32))
    with pytest.raises(RuntimeError, match=r"^initial_value not supported in EAGER mode"):
        phased((x[:, :1], x), phased.zero_state(2, tf.float32))
