"""Recurrent networks."""


def _cells(tf):
    return tf.nn.rnn_cell


def _batch(tf, shape=(2, 3, 4), name="x"):
    return tf.placeholder(tf.float32, list(shape), name=name)


def _lengths(tf):
    return tf.placeholder(tf.int32, [2], name="lengths")


def _one_step(tf, cell, depth=4, batch=2, dtype="float32"):
    x = tf.placeholder(dtype, [batch, depth], name="x")
    return cell(x, cell.zero_state(tf.shape(x)[0] if batch is None else batch, dtype))


def _contrib(tf):
    from importlib import import_module

    return import_module(f"{tf.__name__}.contrib.rnn")


def a_basic_rnn_cell(tf):
    _one_step(tf, _cells(tf).BasicRNNCell(5))
    _one_step(tf, _cells(tf).BasicRNNCell(5, activation="relu", name="second"), batch=None)


def a_gru_cell(tf):
    _one_step(tf, _cells(tf).GRUCell(5))
    _one_step(tf, _cells(tf).GRUCell(3, tf.nn.relu, name="g", kernel_initializer=tf.zeros_initializer()))
    _one_step(tf, _cells(tf).GRUCell(3, kernel_initializer="orthogonal", bias_initializer="ones"))


def a_basic_lstm_cell(tf):
    _one_step(tf, _cells(tf).BasicLSTMCell(5))
    _one_step(tf, _cells(tf).BasicLSTMCell(5, forget_bias=0.0, activation=tf.nn.relu), dtype="float64")
    _one_step(tf, _cells(tf).BasicLSTMCell(5, state_is_tuple=False, name="joined"), batch=None)


def an_lstm_cell(tf):
    _one_step(tf, _cells(tf).LSTMCell(5))
    _one_step(tf, _cells(tf).LSTMCell(5, use_peepholes=True, cell_clip=2.0, initializer=tf.ones_initializer()))
    _one_step(tf, _cells(tf).LSTMCell(5, num_proj=3, proj_clip=0.5, activation="softsign"))
    everything = _cells(tf).LSTMCell(5, True, 1.0, num_proj=2, state_is_tuple=False, forget_bias=2.0)
    _one_step(tf, everything, batch=None)


def an_lstm_cell_in_parts(tf):
    _one_step(tf, _cells(tf).LSTMCell(4, num_unit_shards=2, num_proj=3, num_proj_shards=2))


def activations_by_name(tf):
    names = "elu exponential hard_sigmoid linear relu selu sigmoid softmax softplus softsign tanh"
    for name in names.split():
        _one_step(tf, _cells(tf).BasicRNNCell(2, activation=name))


def initializers_by_name(tf):
    names = "zeros ones glorot_normal he_uniform lecun_normal uniform normal truncated_normal identity random_uniform"
    for name in names.split():
        _one_step(tf, _cells(tf).LSTMCell(2, initializer=name), depth=6)


def scopes_of_cells(tf):
    x = tf.placeholder(tf.float32, [2, 4], name="x")
    cell = _cells(tf).BasicLSTMCell(5)
    state = cell.zero_state(2, tf.float32)
    with tf.variable_scope("a"):
        cell(x, state)
    with tf.variable_scope("b"):
        cell(x, state)
    other = _cells(tf).GRUCell(3)
    other(x, other.zero_state(2, tf.float32), scope="given")
    with tf.variable_scope("a"):
        _cells(tf).BasicLSTMCell(5, reuse=True)(x, state)
    with tf.variable_scope("a"):
        _cells(tf).BasicLSTMCell(5, reuse=tf.AUTO_REUSE)(x, state)
    _cells(tf).BasicLSTMCell(5)(x, state)
    _cells(tf).BasicLSTMCell(5)(x, state)


def defaults_of_scopes(tf):
    options = {"initializer": tf.constant_initializer(0.1), "regularizer": lambda v: tf.reduce_sum(v)}
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2), **options):
        _one_step(tf, _cells(tf).BasicRNNCell(4))
    with tf.variable_scope("r", use_resource=True):
        _one_step(tf, _cells(tf).LSTMCell(4, use_peepholes=True))


def a_cell_built_by_hand(tf):
    cell = _cells(tf).GRUCell(3, dtype=tf.float64, name="g")
    cell.build([None, 4])
    x = tf.placeholder(tf.float64, [2, 4])
    cell(x, cell.get_initial_state(inputs=x))


def cells_that_do_not_train(tf):
    cell = _cells(tf).BasicRNNCell(3, trainable=False)
    _one_step(tf, cell)
    tf.identity(tf.constant([len(cell.trainable_weights), len(cell.non_trainable_weights)]))


def _own_cell(tf):
    class MinimalCell(tf.nn.rnn_cell.RNNCell):
        state_size = 3
        output_size = 3

        def call(self, inputs, state):
            w = tf.get_variable("w", [inputs.shape[1], 3])
            output = tf.tanh(tf.matmul(inputs, w) + state)
            return output, output

    return MinimalCell()


def cells_of_ones_own(tf):
    cell = _own_cell(tf)
    for _ in range(2):
        _one_step(tf, cell)
    with tf.variable_scope("elsewhere"):
        _one_step(tf, cell)
    tf.nn.dynamic_rnn(_own_cell(tf), _batch(tf), dtype=tf.float32)


def numpy_inputs(tf):
    import numpy as np

    cell = _cells(tf).BasicRNNCell(3)
    cell(np.ones([2, 4], np.float32), tf.zeros([2, 3]))


def cells_on_cells(tf):
    cells = _cells(tf)
    _one_step(tf, cells.MultiRNNCell([cells.LSTMCell(5), cells.GRUCell(3), cells.BasicRNNCell(2)]))
    joined = cells.MultiRNNCell([cells.GRUCell(3), cells.BasicRNNCell(2)], state_is_tuple=False)
    _one_step(tf, joined, batch=None)


def cells_on_cells_in_a_loop(tf):
    cells = _cells(tf)
    cell = cells.MultiRNNCell([cells.BasicLSTMCell(5), cells.BasicLSTMCell(3)])
    tf.nn.dynamic_rnn(cell, _batch(tf, (None, None, 4)), dtype=tf.float32)


def dropout(tf):
    cells = _cells(tf)
    _one_step(tf, cells.DropoutWrapper(cells.BasicLSTMCell(5), 0.5, 0.6, 0.7, seed=3))
    _one_step(tf, cells.DropoutWrapper(cells.GRUCell(4), state_keep_prob=0.5))
    keep = tf.placeholder_with_default(0.5, [], name="keep")
    _one_step(tf, cells.DropoutWrapper(cells.GRUCell(4), output_keep_prob=keep, input_keep_prob=tf.constant(0.25)))
    _one_step(tf, cells.DropoutWrapper(cells.GRUCell(4), tf.constant(1.0)))


def the_same_dropout_in_each_step(tf):
    cells = _cells(tf)
    options = {"variational_recurrent": True, "dtype": tf.float32, "seed": 5}
    cell = cells.DropoutWrapper(cells.BasicLSTMCell(5), 0.5, 0.6, 0.7, input_size=4, **options)
    tf.nn.dynamic_rnn(cell, _batch(tf), dtype=tf.float32)
    keep = tf.placeholder(tf.float32, [], name="keep")
    inner = cells.MultiRNNCell([cells.GRUCell(4), cells.LSTMCell(3, num_proj=2)])
    cell = cells.DropoutWrapper(inner, keep, 1.0, keep, input_size=tf.TensorShape([4]), **options)
    tf.nn.static_rnn(cell, tf.unstack(_batch(tf), axis=1), dtype=tf.float32, scope="second")


def dropout_where_it_is_wanted(tf):
    cells = _cells(tf)

    def wanted(state):
        return cells.LSTMStateTuple(True, False) if isinstance(state, cells.LSTMStateTuple) else True

    inner = cells.MultiRNNCell([cells.BasicLSTMCell(4), cells.GRUCell(3)])
    cell = cells.DropoutWrapper(inner, state_keep_prob=0.5, seed=1, dropout_state_filter_visitor=wanted)
    _one_step(tf, cell)


def wrappers(tf):
    cells = _cells(tf)
    _one_step(tf, cells.ResidualWrapper(cells.BasicLSTMCell(4)))
    _one_step(tf, cells.ResidualWrapper(cells.GRUCell(4), residual_fn=lambda i, o: o * 2.0 - i))
    _one_step(tf, cells.DeviceWrapper(cells.BasicRNNCell(4), "/cpu:0"))
    wrapped = cells.DropoutWrapper(cells.ResidualWrapper(cells.DeviceWrapper(cells.GRUCell(4), "/cpu:0")), 0.5)
    tf.nn.dynamic_rnn(wrapped, _batch(tf), dtype=tf.float32, scope="wrapped")


def a_dynamic_net(tf):
    tf.nn.dynamic_rnn(_cells(tf).BasicLSTMCell(5), _batch(tf), dtype=tf.float32)


def a_dynamic_net_of_lengths(tf):
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    x = _batch(tf, (None, None, 4))
    tf.nn.dynamic_rnn(_cells(tf).BasicRNNCell(5), x, sequence_length=lengths, dtype=tf.float32)


def a_dynamic_net_of_long_lengths(tf):
    cell = _cells(tf).LSTMCell(5, num_proj=3)
    lengths = tf.placeholder(tf.int64, [2], name="lengths")
    tf.nn.dynamic_rnn(cell, _batch(tf), sequence_length=lengths, initial_state=cell.zero_state(2, tf.float32))
    tf.nn.dynamic_rnn(cell, _batch(tf), sequence_length=[1, 2], dtype=tf.float32, scope="again")


def a_dynamic_net_by_time(tf):
    options = {"time_major": True, "swap_memory": True, "parallel_iterations": 4, "dtype": tf.float32}
    tf.nn.dynamic_rnn(_cells(tf).GRUCell(5), _batch(tf, (3, None, 4)), scope="net", **options)
    with tf.variable_scope("net") as scope:
        pass
    tf.nn.dynamic_rnn(_cells(tf).GRUCell(5, name="g"), _batch(tf, (3, 2, 4)), scope=scope, **options)


def dynamic_nets_that_share(tf):
    x = _batch(tf)
    with tf.variable_scope("net"):
        tf.nn.dynamic_rnn(_cells(tf).GRUCell(5), x, dtype=tf.float32)
    with tf.variable_scope("net", reuse=True):
        tf.nn.dynamic_rnn(_cells(tf).GRUCell(5), x, dtype=tf.float32)
    cell = _cells(tf).GRUCell(3)
    tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope="one")
    tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope="two")


def _structured_cell(tf):
    class Structured(tf.nn.rnn_cell.RNNCell):
        state_size = (3, tf.TensorShape([2, 2]))
        output_size = {"sum": 3, "scaled": tf.TensorShape([2, 2])}

        def call(self, inputs, state):
            a, b = inputs
            c, d = state
            c = c + a
            d = d * 0.5 + b
            return {"sum": c, "scaled": d}, (c, d)

    return Structured()


def structures(tf):
    inputs = (_batch(tf, (2, None, 3), "a"), _batch(tf, (2, None, 2, 2), "b"))
    tf.nn.dynamic_rnn(_structured_cell(tf), inputs, dtype=tf.float32, sequence_length=_lengths(tf))
    steps = [(_batch(tf, (2, 3)), _batch(tf, (2, 2, 2))) for _ in range(2)]
    tf.nn.static_rnn(_structured_cell(tf), steps, dtype=tf.float32, scope="static")
    tf.nn.static_rnn(_structured_cell(tf), steps, dtype=tf.float32, sequence_length=_lengths(tf), scope="lengths")


def a_static_net(tf):
    x = _batch(tf, (2, 4))
    tf.nn.static_rnn(_cells(tf).BasicRNNCell(5), [x, x], dtype=tf.float32)
    tf.nn.static_rnn(_cells(tf).BasicLSTMCell(5), [x, x, x], dtype=tf.float32, scope="lstm")


def a_static_net_of_lengths(tf):
    steps = [_batch(tf, (2, 4), f"x{i}") for i in range(2)]
    tf.nn.static_rnn(_cells(tf).BasicLSTMCell(5), steps, dtype=tf.float32, sequence_length=_lengths(tf))


def a_static_net_of_an_unknown_batch(tf):
    steps = [_batch(tf, (None, 4), f"x{i}") for i in range(2)]
    lengths = tf.placeholder(tf.int64, [None], name="lengths")
    cell = _cells(tf).GRUCell(5)
    tf.nn.static_rnn(cell, steps, dtype=tf.float32, sequence_length=lengths)
    tf.nn.static_rnn(cell, steps, initial_state=tf.zeros([tf.shape(steps[0])[0], 5]), scope="other")


class _Saver:
    def __init__(self, tf):
        self.tf = tf

    def state(self, name):
        return self.tf.get_variable(name, [2, 5], trainable=False)

    def save_state(self, name, value):
        return self.tf.assign(self.tf.get_variable(name, [2, 5]), value)


def saved_states(tf):
    x = _batch(tf, (2, 4))
    with tf.variable_scope("states", reuse=tf.AUTO_REUSE):
        tf.nn.static_state_saving_rnn(_cells(tf).GRUCell(5), [x, x], _Saver(tf), "s")
        tf.nn.static_state_saving_rnn(
            _cells(tf).LSTMCell(5), [x, x], _Saver(tf), ("c", "h"), sequence_length=_lengths(tf), scope="lstm"
        )


def a_net_of_both_directions(tf):
    cells = _cells(tf)
    x = _batch(tf)
    tf.nn.bidirectional_dynamic_rnn(cells.BasicLSTMCell(5), cells.GRUCell(3), x, dtype=tf.float32)
    tf.nn.bidirectional_dynamic_rnn(
        cells.BasicRNNCell(5),
        cells.BasicRNNCell(3),
        x,
        sequence_length=_lengths(tf),
        time_major=False,
        dtype=tf.float32,
        scope="lengths",
    )
    major = _batch(tf, (3, 2, 4))
    tf.nn.bidirectional_dynamic_rnn(
        cells.BasicRNNCell(5),
        cells.BasicRNNCell(5),
        major,
        sequence_length=_lengths(tf),
        initial_state_fw=tf.zeros([2, 5]),
        initial_state_bw=tf.ones([2, 5]),
        time_major=True,
        scope="major",
    )


def a_static_net_of_both_directions(tf):
    cells = _cells(tf)
    steps = [_batch(tf, (2, 4), f"x{i}") for i in range(2)]
    tf.nn.static_bidirectional_rnn(cells.BasicLSTMCell(5), cells.GRUCell(3), steps, dtype=tf.float32)
    tf.nn.static_bidirectional_rnn(
        cells.BasicRNNCell(5), cells.BasicRNNCell(3), steps, dtype=tf.float32, sequence_length=_lengths(tf), scope="s"
    )


def stacks_of_nets_of_both_directions(tf):
    cells, contrib = _cells(tf), _contrib(tf)

    def pair(i=0):
        return [cells.GRUCell(3 + i), cells.GRUCell(2 + i)]

    contrib.stack_bidirectional_dynamic_rnn(pair(), pair(1), _batch(tf), dtype=tf.float32)
    steps = [_batch(tf, (2, 4), f"x{i}") for i in range(2)]
    contrib.stack_bidirectional_rnn(pair(), pair(1), steps, dtype=tf.float32, scope="static")


def _raw(tf, emits=None, loop_state=None):
    cell = _cells(tf).LSTMCell(5)
    x = tf.placeholder(tf.float32, [3, 2, 4], name="x")
    array = tf.TensorArray(tf.float32, 3).unstack(x)
    lengths = _lengths(tf)

    def step(time, output, state, loop_state_now):
        first = output is None
        if first:
            state = cell.zero_state(2, tf.float32)
            output = emits
        elif emits is not None:
            output = output[:, :2]
        ended = time >= lengths
        taken = tf.cond(tf.reduce_all(ended), lambda: tf.zeros([2, 4]), lambda: array.read(time))
        following = loop_state if first else None if loop_state is None else loop_state_now + 1
        return ended, taken, state, output, following

    return tf.nn.raw_rnn(cell, step)


def a_raw_net(tf):
    outputs, _, _ = _raw(tf)
    outputs.stack()


def a_raw_net_with_a_state_of_its_own(tf):
    outputs, _, _ = _raw(tf, emits=tf.zeros([2]), loop_state=tf.constant(7))
    outputs.stack()


def nets_in_loops(tf):
    x = _batch(tf)
    cell = _cells(tf).GRUCell(5)

    def body(i, state):
        return i + 1, tf.nn.dynamic_rnn(cell, x, initial_state=state)[1]

    tf.while_loop(lambda i, _: i < 2, body, [0, tf.zeros([2, 5])])


def nets_on_devices(tf):
    with tf.device("/cpu:0"):
        tf.nn.dynamic_rnn(_cells(tf).BasicLSTMCell(5), _batch(tf), dtype=tf.float32)


def gradients_of_a_static_net(tf):
    x = _batch(tf, (2, 4))
    outputs, _ = tf.nn.static_rnn(_cells(tf).BasicLSTMCell(5), [x, x], dtype=tf.float32)
    tf.gradients(tf.reduce_sum(tf.stack(outputs)), tf.trainable_variables())


def training_a_static_net(tf):
    steps = tf.unstack(_batch(tf), axis=1)
    outputs, state = tf.nn.static_rnn(_cells(tf).LSTMCell(5), steps, dtype=tf.float32, sequence_length=_lengths(tf))
    loss = tf.reduce_sum(state.h) + tf.reduce_sum(outputs[-1])
    tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def _loss(tf, outputs, state):
    values = tf.contrib.framework.nest.flatten([outputs, state])
    return tf.add_n([tf.reduce_sum(value * value) for value in values])


def gradients_of_a_dynamic_net(tf):
    outputs, _ = tf.nn.dynamic_rnn(_cells(tf).BasicLSTMCell(5), _batch(tf), dtype=tf.float32)
    tf.gradients(tf.reduce_sum(outputs), tf.trainable_variables())


def gradients_of_a_dynamic_net_of_lengths(tf):
    x = _batch(tf, (None, None, 4))
    cell = _cells(tf).GRUCell(5)
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    results = tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32, swap_memory=True)
    tf.gradients(_loss(tf, *results), [x, *tf.trainable_variables()])


def training_a_net_of_both_directions(tf):
    cells = _cells(tf)
    x = _batch(tf)
    results = tf.nn.bidirectional_dynamic_rnn(
        cells.LSTMCell(5, use_peepholes=True, num_proj=3),
        cells.DropoutWrapper(cells.GRUCell(3), 0.5, 0.5, 0.5, seed=1),
        x,
        sequence_length=_lengths(tf),
        dtype=tf.float32,
    )
    tf.train.AdamOptimizer(0.1).minimize(_loss(tf, *results))


def training_cells_on_cells(tf):
    cells = _cells(tf)
    stack = cells.MultiRNNCell([cells.LSTMCell(4, cell_clip=1.0), cells.ResidualWrapper(cells.BasicRNNCell(4))])
    results = tf.nn.dynamic_rnn(stack, _batch(tf, (None, 3, 4)), dtype=tf.float32, time_major=True)
    tf.train.MomentumOptimizer(0.1, 0.9).minimize(_loss(tf, *results))


def gradients_of_a_raw_net(tf):
    outputs, state, _ = _raw(tf)
    tf.gradients(_loss(tf, outputs.stack(), state), tf.trainable_variables())
