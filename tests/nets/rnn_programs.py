"""Recurrent networks whose values and error messages are compared. `python rnn_programs.py`, run by an interpreter with
TensorFlow 1.15, records its values.

A program is a function of `tf` that builds a network in a graph with a seed and returns a list of fetches.
"""

import json
from pathlib import Path

import numpy as np

RECORDED = Path(__file__).with_name("rnn_values_of_1_15.json")
_X = np.random.RandomState(0).uniform(-1, 1, [2, 3, 4])  # [batch, time, depth]
_LENGTHS = [3, 1]


def _x(tf, dtype="float32", time_major=False):
    return tf.constant(_X.transpose(1, 0, 2) if time_major else _X, dtype)


def _steps(tf):
    return tf.unstack(_x(tf), axis=1)


def _both(tf, make, **options):
    """The outputs of the cells made by `make` in a loop and unrolled. The loop runs one iteration at a time,
    because random numbers would otherwise depend on timing.
    """
    options = {"dtype": tf.float32, **options}
    x = _x(tf, options["dtype"])
    dynamic = tf.nn.dynamic_rnn(make(), x, scope="dynamic", parallel_iterations=1, **options)
    steps = tf.unstack(_x(tf, options["dtype"]), axis=1)
    static = tf.nn.static_rnn(make(), steps, scope="static", **options)
    return [dynamic, static]


def basic_rnn(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.BasicRNNCell(3))


def basic_rnn_of_doubles(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.BasicRNNCell(3, activation="softsign"), dtype=tf.float64)


def gru(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.GRUCell(3))


def gru_of_lengths(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.GRUCell(3), sequence_length=_LENGTHS)


def basic_lstm(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.BasicLSTMCell(3, forget_bias=0.5))


def basic_lstm_of_lengths(tf):
    lengths = tf.constant(_LENGTHS, tf.int64)
    return _both(tf, lambda: tf.nn.rnn_cell.BasicLSTMCell(3), sequence_length=lengths)


def basic_lstm_of_no_length(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.BasicLSTMCell(3), sequence_length=[0, 0])


def basic_lstm_of_one_tensor(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.BasicLSTMCell(3, state_is_tuple=False), sequence_length=[2, 3])


def lstm(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.LSTMCell(3))


def lstm_with_everything(tf):
    def make():
        return tf.nn.rnn_cell.LSTMCell(
            3, True, cell_clip=0.3, initializer=tf.random_uniform_initializer(-2, 2), num_proj=2, proj_clip=0.4
        )

    return _both(tf, make, sequence_length=_LENGTHS)


def lstm_of_one_tensor(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.LSTMCell(3, num_proj=2, state_is_tuple=False, activation=tf.nn.relu))


def lstm_in_parts(tf):
    return _both(tf, lambda: tf.nn.rnn_cell.LSTMCell(4, num_unit_shards=2, num_proj=2, num_proj_shards=2))


def stacked(tf):
    cells = tf.nn.rnn_cell
    return _both(tf, lambda: cells.MultiRNNCell([cells.LSTMCell(3), cells.GRUCell(2)]), sequence_length=_LENGTHS)


def stacked_in_one_tensor(tf):
    cells = tf.nn.rnn_cell
    return _both(tf, lambda: cells.MultiRNNCell([cells.GRUCell(3), cells.BasicRNNCell(2)], state_is_tuple=False))


def wrapped(tf):
    cells = tf.nn.rnn_cell
    return _both(tf, lambda: cells.DeviceWrapper(cells.ResidualWrapper(cells.BasicLSTMCell(4)), "/cpu:0"))


def residual_function(tf):
    cells = tf.nn.rnn_cell
    return _both(tf, lambda: cells.ResidualWrapper(cells.GRUCell(3), lambda i, o: o - i[:, :3]))


def dropout(tf):
    cells = tf.nn.rnn_cell
    return _both(tf, lambda: cells.DropoutWrapper(cells.BasicLSTMCell(3), 0.7, 0.6, 0.5, seed=7))


def dropout_by_the_graph_seed(tf):
    cells = tf.nn.rnn_cell
    return _both(tf, lambda: cells.DropoutWrapper(cells.GRUCell(3), tf.constant(0.7), 1.0, 0.5))


def the_same_dropout_in_each_step(tf):
    cells = tf.nn.rnn_cell
    options = {"variational_recurrent": True, "input_size": 4, "dtype": tf.float32, "seed": 3}
    return _both(tf, lambda: cells.DropoutWrapper(cells.LSTMCell(3), 0.7, 0.6, 0.5, **options))


def dropout_of_stacked_states(tf):
    cells = tf.nn.rnn_cell

    def make():
        inner = cells.MultiRNNCell([cells.LSTMCell(3), cells.GRUCell(2)])
        return cells.DropoutWrapper(inner, state_keep_prob=0.5, seed=11)

    return _both(tf, make)


def given_states(tf):
    cell = tf.nn.rnn_cell.LSTMCell(3)
    state = tf.nn.rnn_cell.LSTMStateTuple(tf.ones([2, 3]), tf.fill([2, 3], 0.5))
    return [
        tf.nn.dynamic_rnn(cell, _x(tf), initial_state=state),
        tf.nn.static_rnn(cell, _steps(tf), initial_state=state, sequence_length=_LENGTHS),
    ]


def time_major(tf):
    cell = tf.nn.rnn_cell.GRUCell(3)
    x = _x(tf, time_major=True)
    return list(tf.nn.dynamic_rnn(cell, x, sequence_length=_LENGTHS, dtype=tf.float32, time_major=True))


def unknown_shapes(tf):
    x = tf.placeholder_with_default(_X.astype("float32"), [None, None, 4])
    lengths = tf.placeholder_with_default(_LENGTHS, [None])
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    return list(tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32))


def one_cell_twice(tf):
    cell = tf.nn.rnn_cell.GRUCell(3)
    results = [tf.nn.dynamic_rnn(cell, _x(tf) * f, dtype=tf.float32, scope=f"s{i}") for i, f in enumerate((1.0, 2.0))]
    return [*results, tf.constant(len(tf.global_variables()))]


def both_directions(tf):
    cells = tf.nn.rnn_cell
    pair = lambda: (cells.LSTMCell(3), cells.GRUCell(2))  # noqa: E731
    return [
        tf.nn.bidirectional_dynamic_rnn(*pair(), _x(tf), dtype=tf.float32),
        tf.nn.bidirectional_dynamic_rnn(*pair(), _x(tf), sequence_length=_LENGTHS, dtype=tf.float32, scope="a"),
        tf.nn.bidirectional_dynamic_rnn(
            *pair(), _x(tf, time_major=True), sequence_length=_LENGTHS, dtype=tf.float32, time_major=True, scope="b"
        ),
        tf.nn.static_bidirectional_rnn(*pair(), _steps(tf), dtype=tf.float32, scope="c"),
        tf.nn.static_bidirectional_rnn(*pair(), _steps(tf), sequence_length=_LENGTHS, dtype=tf.float32, scope="d"),
    ]


def stacks_of_both_directions(tf):
    from importlib import import_module

    contrib = import_module(f"{tf.__name__}.contrib.rnn")
    cells = lambda: [contrib.GRUCell(3), contrib.BasicLSTMCell(2)]  # noqa: E731
    lengths = {"sequence_length": _LENGTHS, "dtype": tf.float32}
    return [
        contrib.stack_bidirectional_dynamic_rnn(cells(), cells(), _x(tf), **lengths),
        contrib.stack_bidirectional_rnn(cells(), cells(), _steps(tf), scope="static", **lengths),
    ]


def raw(tf):
    cell = tf.nn.rnn_cell.LSTMCell(3)
    x = tf.TensorArray(tf.float32, 3).unstack(_x(tf, time_major=True))
    lengths = tf.constant(_LENGTHS)

    def step(time, output, state, seen):
        if output is None:
            state, seen = cell.zero_state(2, tf.float32), tf.constant(0.0)
        else:
            seen = seen + tf.reduce_sum(output)
        ended = time >= lengths
        taken = tf.cond(tf.reduce_all(ended), lambda: tf.zeros([2, 4]), lambda: x.read(time))
        return ended, taken, state, output, seen

    outputs, state, seen = tf.nn.raw_rnn(cell, step)
    return [outputs.stack(), state, seen]


def raw_that_feeds_itself(tf):
    cell = tf.nn.rnn_cell.GRUCell(4)

    def step(time, output, state, written):
        if output is None:
            state = tf.constant(_X[:, 0], tf.float32)
            written = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False)
            kept = {"two": tf.zeros([2]), "sum": tf.zeros([])}
            taken = state
        else:
            written = written.write(time - 1, tf.reduce_max(output))
            kept = {"two": output[:, :2], "sum": tf.reduce_sum(output, 1)}
            taken = output * 2.0
        return tf.fill([2], time >= 4), taken, state, kept, written

    outputs, state, written = tf.nn.raw_rnn(cell, step)
    return [outputs["two"].stack(), outputs["sum"].stack(), state, written.stack()]


class _Saver:
    def __init__(self, tf):
        self.tf, self.saved = tf, {}

    def state(self, name):
        return self.tf.fill([2, 3], 0.1 * len(name))

    def save_state(self, name, value):
        self.saved[name] = value
        return value


def saved_states(tf):
    saver = _Saver(tf)
    results = tf.nn.static_state_saving_rnn(tf.nn.rnn_cell.LSTMCell(3), _steps(tf), saver, ("c", "hh"))
    return [*results, saver.saved["c"], saver.saved["hh"]]


def _own_cell(tf):
    class Own(tf.nn.rnn_cell.RNNCell):
        state_size = (3, tf.TensorShape([2, 2]))
        output_size = {"sum": 3, "scaled": tf.TensorShape([2, 2])}

        def call(self, inputs, state):
            w = tf.get_variable("w", [4, 3])
            a = state[0] + tf.matmul(inputs, w)
            b = state[1] * 0.5 + tf.reshape(inputs, [-1, 2, 2])
            return {"sum": a, "scaled": b}, (a, b)

    return Own()


def own_cells(tf):
    return _both(tf, lambda: _own_cell(tf), sequence_length=_LENGTHS)


def gradients(tf):
    cells = tf.nn.rnn_cell
    cell = cells.MultiRNNCell([cells.LSTMCell(3, use_peepholes=True, num_proj=2, cell_clip=0.5), cells.GRUCell(2)])
    x = _x(tf)
    outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=_LENGTHS, dtype=tf.float32)
    loss = tf.reduce_sum(outputs**2) + tf.reduce_sum(state[1] ** 3)
    return tf.gradients(loss, [x, *tf.trainable_variables()])


def gradients_step_by_step(tf):
    cells = tf.nn.rnn_cell
    steps = _steps(tf)
    outputs, state = tf.nn.static_rnn(cells.BasicLSTMCell(3), steps, sequence_length=_LENGTHS, dtype=tf.float32)
    loss = tf.reduce_sum(tf.stack(outputs) ** 2) + tf.reduce_sum(state.c**3)
    return tf.gradients(loss, [*steps, *tf.trainable_variables()])


def gradients_of_both_directions(tf):
    cells = tf.nn.rnn_cell
    x = _x(tf)
    results = tf.nn.bidirectional_dynamic_rnn(
        cells.GRUCell(3),
        cells.DropoutWrapper(cells.BasicRNNCell(2), 0.5, seed=1),
        x,
        _LENGTHS,
        None,
        None,
        tf.float32,
        1,
    )
    loss = tf.add_n([tf.reduce_sum(r**2) for pair in results for r in pair])
    return tf.gradients(loss, [x, *tf.trainable_variables()])


def _losses(tf, outputs):
    """The training op and the loss for predicting the sign of the sum of the inputs from the last output."""
    wanted = tf.constant((_X.sum((1, 2)) > 0).astype("float32"))
    logits = tf.reshape(tf.matmul(outputs, tf.get_variable("out", [3, 1])), [2])
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=wanted, logits=logits))
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    return train, loss


def training(tf):
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(3), _x(tf), dtype=tf.float32)
    return _losses(tf, outputs[:, -1])


def training_step_by_step(tf):
    outputs, _ = tf.nn.static_rnn(tf.nn.rnn_cell.BasicLSTMCell(3), _steps(tf), dtype=tf.float32)
    return _losses(tf, outputs[-1])


def training_of_lengths(tf):
    cells = tf.nn.rnn_cell
    stack = cells.MultiRNNCell([cells.DropoutWrapper(cells.GRUCell(4), output_keep_prob=0.8, seed=1), cells.GRUCell(3)])
    _, state = tf.nn.dynamic_rnn(stack, _x(tf), _LENGTHS, dtype=tf.float32, parallel_iterations=1)
    return _losses(tf, state[1])


def training_a_language_model(tf):
    """A language model in the style of the time: one model for training and one for evaluation, with shared
    variables.
    """
    words = tf.constant(np.random.RandomState(3).randint(0, 7, [2, 6]))

    def model(trains):
        def cell():
            made = tf.contrib.rnn.BasicLSTMCell(3, forget_bias=0.0, reuse=tf.get_variable_scope().reuse)
            return tf.contrib.rnn.DropoutWrapper(made, output_keep_prob=0.9, seed=1) if trains else made

        stack = tf.contrib.rnn.MultiRNNCell([cell() for _ in range(2)], state_is_tuple=True)
        inputs = tf.nn.embedding_lookup(tf.get_variable("embedding", [7, 3]), words[:, :-1])
        outputs, _ = tf.contrib.rnn.static_rnn(
            stack, tf.unstack(inputs, axis=1), initial_state=stack.zero_state(2, tf.float32)
        )
        output = tf.reshape(tf.concat(outputs, 1), [-1, 3])
        logits = tf.matmul(output, tf.get_variable("w", [3, 7])) + tf.get_variable("b", [7])
        wanted = tf.reshape(words[:, 1:], [-1])
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=wanted, logits=logits))

    with tf.variable_scope("model", initializer=tf.random_uniform_initializer(-0.5, 0.5)):
        cost = model(trains=True)
    with tf.variable_scope("model", reuse=True):
        loss = model(trains=False)
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(cost, variables), 1.0)
    return tf.train.GradientDescentOptimizer(1.0).apply_gradients(zip(gradients, variables)), loss


def training_a_decoder(tf):
    """A sequence-to-sequence model: an encoder, and a decoder that gets the previous element in each step."""
    cells = tf.nn.rnn_cell
    x = _x(tf)
    with tf.variable_scope("encoder"):
        _, code = tf.nn.dynamic_rnn(cells.GRUCell(6), x, dtype=tf.float32)
    cell = cells.GRUCell(6)
    project = tf.get_variable("project", [6, 4])

    def step(time, output, state, loop_state):
        if output is None:
            return time >= tf.fill([2], 3), tf.zeros([2, 4]), code, tf.zeros([4]), None
        made = tf.matmul(output, project)
        return time >= tf.fill([2], 3), made, state, made, None

    made, _, _ = tf.nn.raw_rnn(cell, step, scope="decoder")
    loss = tf.reduce_mean((tf.transpose(made.stack(), [1, 0, 2]) - x) ** 2)
    return tf.train.AdamOptimizer(0.05).minimize(loss), loss


def _contrib(tf):
    from importlib import import_module

    return import_module(f"{tf.__name__}.contrib.rnn")


def lstm_block(tf):
    return _both(tf, lambda: _contrib(tf).LSTMBlockCell(3, forget_bias=0.5))


def lstm_block_with_everything(tf):
    def make():
        return _contrib(tf).LSTMBlockCell(3, cell_clip=0.05, use_peephole=True)

    return _both(tf, make, sequence_length=_LENGTHS)


def lstm_block_of_halves(tf):
    cell = _contrib(tf).LSTMBlockCell(3, dtype=tf.half)
    output, state = cell(tf.cast(_steps(tf)[0], tf.half), cell.zero_state(2, tf.half))
    return [tf.round(tf.cast(value, tf.float32) * 64) for value in (output, *state)]


def gru_block(tf):
    return _both(tf, lambda: _contrib(tf).GRUBlockCell(3), sequence_length=_LENGTHS)


def gru_block_of_the_second_version(tf):
    return _both(tf, lambda: _contrib(tf).GRUBlockCellV2(3))


def fused(tf):
    contrib, x = _contrib(tf), _x(tf, time_major=True)
    state = tf.ones([2, 3]), tf.fill([2, 3], 0.5)
    return [
        contrib.LSTMBlockFusedCell(3)(x, dtype=tf.float32),
        contrib.LSTMBlockFusedCell(3, 0.5, name="a")(x, state, sequence_length=_LENGTHS),
        contrib.LSTMBlockFusedCell(3, 0.5, 0.1, True, name="b")(x, state),
        contrib.LSTMBlockFusedCell(3, use_peephole=True, name="c")(x, dtype=tf.float32, sequence_length=[2, 0]),
    ]


def fused_of_unknown_shapes(tf):
    x = tf.placeholder_with_default(_X.transpose(1, 0, 2).astype("float32"), [None, None, 4])
    lengths = tf.placeholder_with_default(_LENGTHS, [None])
    return list(_contrib(tf).LSTMBlockFusedCell(3)(x, dtype=tf.float32, sequence_length=lengths))


def fused_and_adapted(tf):
    contrib, x = _contrib(tf), _x(tf, time_major=True)
    options = {"dtype": tf.float32, "sequence_length": _LENGTHS}
    return [
        contrib.FusedRNNCellAdaptor(contrib.GRUCell(3))(x, scope="a", **options),
        contrib.FusedRNNCellAdaptor(contrib.GRUBlockCell(3), True)(x, scope="b", **options),
        contrib.FusedRNNCellAdaptor(contrib.BasicRNNCell(3), True)(tf.unstack(x), dtype=tf.float32, scope="c"),
    ]


def fused_from_the_end(tf):
    contrib, x = _contrib(tf), _x(tf, time_major=True)
    lstm = contrib.TimeReversedFusedRNN(contrib.LSTMBlockFusedCell(3))
    cell = contrib.TimeReversedFusedRNN(contrib.FusedRNNCellAdaptor(contrib.LSTMCell(3)))
    return [
        lstm(x, dtype=tf.float32),
        lstm(x, dtype=tf.float32, sequence_length=_LENGTHS),
        cell(tf.unstack(x), dtype=tf.float32),
    ]


def gradients_of_fused(tf):
    contrib, x = _contrib(tf), _x(tf, time_major=True)
    first, _ = contrib.LSTMBlockFusedCell(3, use_peephole=True)(x, dtype=tf.float32)
    second = contrib.LSTMBlockFusedCell(2, 0.5, 0.01, name="b")
    outputs, state = second(first, dtype=tf.float32, sequence_length=_LENGTHS)
    loss = tf.reduce_sum(outputs**2) + tf.reduce_sum(state.c**3)
    return tf.gradients(loss, [x, *tf.trainable_variables()])


def gradients_of_blocks(tf):
    contrib, x = _contrib(tf), _x(tf)
    cells = contrib.MultiRNNCell([contrib.LSTMBlockCell(3, use_peephole=True), contrib.GRUBlockCell(2)])
    results = _both(tf, lambda: contrib.LSTMBlockCell(3), sequence_length=_LENGTHS)
    results.append(tf.nn.dynamic_rnn(cells, x, dtype=tf.float32))
    loss = tf.add_n([tf.reduce_sum(r**2) for r in tf.contrib.framework.nest.flatten(results)])
    return tf.gradients(loss, [x, *tf.trainable_variables()])


def training_fused(tf):
    outputs, _ = _contrib(tf).LSTMBlockFusedCell(3)(_x(tf, time_major=True), dtype=tf.float32)
    return _losses(tf, outputs[-1])


def training_blocks(tf):
    contrib = _contrib(tf)
    cells = contrib.MultiRNNCell([contrib.GRUBlockCellV2(4), contrib.LSTMBlockCell(3)])
    _, state = tf.nn.dynamic_rnn(cells, _x(tf), _LENGTHS, dtype=tf.float32)
    return _losses(tf, state[1].h)


def coupled_gates(tf):
    make = _contrib(tf).CoupledInputForgetGateLSTMCell
    results = _both(tf, lambda: make(3, True, None, 2, 0.05, 3, 2, 0.5), sequence_length=_LENGTHS)
    with tf.variable_scope("normalized"):
        results += _both(tf, lambda: make(3, layer_norm=True, norm_gain=0.5, norm_shift=0.25))
    loss = tf.add_n([tf.reduce_sum(r**2) for r in tf.contrib.framework.nest.flatten(results)])
    # Normalized values have a bias that is never read, and thus no gradient.
    return results + [g for g in tf.gradients(loss, tf.trainable_variables()) if g is not None]


def _grid(tf, both=False, **options):
    made = _contrib(tf).BidirectionalGridLSTMCell if both else _contrib(tf).GridLSTMCell
    return made(2, feature_size=2, frequency_skip=1, num_frequency_blocks=[3], **options)


def grids(tf):
    results = [_both(tf, lambda: _grid(tf, use_peepholes=True, cell_clip=0.1))]
    for i, both in enumerate((False, True, True)):
        kind = {"share_time_frequency_weights": i < 2, "couple_input_forget_gates": i == 1, "use_peepholes": i != 0}
        with tf.variable_scope(f"s{i}"):
            results.append(_both(tf, lambda b=both, k=kind: _grid(tf, b, num_unit_shards=2, **k)))
    return results


def grids_of_blocks(tf):
    blocks = {"num_frequency_blocks": [2, 1], "start_freqindex_list": [0, 2], "end_freqindex_list": [3, 4]}
    results = []
    for i, offset in enumerate((0, 1, -1)):
        with tf.variable_scope(f"s{i}"):
            options = {"feature_size": 2, "frequency_skip": 1, "backward_slice_offset": offset, **blocks}
            results.append(_both(tf, lambda o=options: _contrib(tf).BidirectionalGridLSTMCell(2, **o)))
    one = _contrib(tf).GridLSTMCell(2, feature_size=2, frequency_skip=1, state_is_tuple=False, **blocks)
    return [*results, one(_x(tf)[:, 0], tf.linspace(-1.0, 1.0, 24)[tf.newaxis] * tf.ones([2, 1]))]


def gradients_of_grids(tf):
    x = _x(tf)
    one, _ = tf.nn.dynamic_rnn(_grid(tf, both=True, use_peepholes=True), x, _LENGTHS, dtype=tf.float32)
    other, _ = tf.nn.static_rnn(_grid(tf, couple_input_forget_gates=True), _steps(tf), dtype=tf.float32)
    return tf.gradients(tf.reduce_sum(one**2) + tf.reduce_sum(other[-1] ** 2), [x, *tf.trainable_variables()])


def time_frequencies(tf):
    make = _contrib(tf).TimeFreqLSTMCell
    results = _both(tf, lambda: make(3, feature_size=4))
    with tf.variable_scope("clipped"):
        results += _both(tf, lambda: make(2, True, 0.1, None, 3, 0.5, feature_size=4))
    pieces = make(2, True, feature_size=2), _x(tf)[:, 0], tf.linspace(-1.0, 1.0, 12)[tf.newaxis] * tf.ones([2, 1])
    results.append(pieces[0](*pieces[1:]))
    return results + tf.gradients(results[-1][0], [*pieces[1:], *tf.trainable_variables("time_freq_lstm_cell")])


def phases(tf):
    x = tf.cumsum(tf.abs(_x(tf, "float64"))[:, :, :1], axis=1), _x(tf)
    results = []
    for i, options in enumerate(({}, {"use_peepholes": True, "leak": 0.1, "ratio_on": 0.5, "period_init_max": 3.0})):
        cell = _contrib(tf).PhasedLSTMCell(3, **options)
        results.append(tf.nn.dynamic_rnn(cell, x, _LENGTHS if i else None, dtype=tf.float32, scope=f"s{i}"))
    loss = tf.add_n([tf.reduce_sum(r**2) for r in tf.contrib.framework.nest.flatten(results)])
    return results + tf.gradients(loss, [*x, *tf.trainable_variables()])


def group_lstms(tf):
    make = _contrib(tf).GLSTMCell
    start = tf.random_uniform_initializer(-1, 1, seed=2)
    results = _both(tf, lambda: make(4, start, 6, 2, 0.5, tf.nn.relu), sequence_length=_LENGTHS)
    with tf.variable_scope("more"):
        results += _both(tf, lambda: make(8, number_of_groups=4))
    loss = tf.add_n([tf.reduce_sum(r**2) for r in tf.contrib.framework.nest.flatten(results)])
    return results + tf.gradients(loss, tf.trainable_variables())


def compiled_cells(tf):
    cells = _contrib(tf)
    results = _both(tf, lambda: cells.CompiledWrapper(cells.GRUCell(3)))
    loss = tf.add_n([tf.reduce_sum(r**2) for r in tf.contrib.framework.nest.flatten(results)])
    return results + tf.gradients(loss, tf.trainable_variables())


def training_grids(tf):
    cells = _contrib(tf).MultiRNNCell([_grid(tf, use_peepholes=True), _contrib(tf).GLSTMCell(3, number_of_groups=3)])
    _, state = tf.nn.dynamic_rnn(cells, _x(tf), dtype=tf.float32)
    return _losses(tf, state[1].h)


PROGRAMS = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__module__", 0) == __name__
}
PROGRAMS = {name: program for name, program in PROGRAMS.items() if not name.startswith("_")}
TRAINING_STEPS = 12


def values(tf, program):
    """The flat list of arrays that a program yields; for a training, the losses of some steps."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(7)
        results = program(tf)
        session.run(tf.global_variables_initializer())
        if program.__name__.startswith("training"):
            train, loss = results
            return [np.array([session.run([loss, train])[0] for _ in range(TRAINING_STEPS)])]
        flat = tf.contrib.framework.nest.flatten(results)
        return [np.asarray(value) for value in session.run(flat)]


def _record():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    found = {}
    for name, program in PROGRAMS.items():
        found[name] = [
            [str(v.dtype), list(v.shape), [float(f"{x:.7g}") for x in v.ravel()]] for v in values(tf, program)
        ]
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in found.items()]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    _record()
