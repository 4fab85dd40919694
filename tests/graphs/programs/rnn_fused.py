"""Recurrent networks with fused ops, for all steps or for each step."""


def _contrib(tf):
    from importlib import import_module

    return import_module(f"{tf.__name__}.contrib.rnn")


def _batch(tf, shape=(2, 3, 4), name="x", dtype="float32"):
    return tf.placeholder(dtype, list(shape), name=name)


def _one_step(tf, cell, depth=4, batch=2, dtype="float32"):
    x = tf.placeholder(dtype, [batch, depth], name="x")
    return cell(x, cell.zero_state(2, dtype))


def lstm_block_cells(tf):
    cells = _contrib(tf)
    _one_step(tf, cells.LSTMBlockCell(5))
    _one_step(tf, cells.LSTMBlockCell(5, forget_bias=0.5, cell_clip=2.0, use_peephole=True, name="all"))
    _one_step(tf, cells.LSTMBlockCell(3, dtype=tf.half, name="half"), dtype="float16")
    with tf.variable_scope("", reuse=tf.AUTO_REUSE):
        _one_step(tf, cells.LSTMBlockCell(5, reuse=True))


def gru_block_cells(tf):
    cells = _contrib(tf)
    _one_step(tf, cells.GRUBlockCell(5))
    _one_step(tf, cells.GRUBlockCell(cell_size=3, name="old"))
    _one_step(tf, cells.GRUBlockCellV2(5, name="second"))


def cells_in_nets(tf):
    cells = _contrib(tf)
    x = _batch(tf)
    tf.nn.dynamic_rnn(cells.LSTMBlockCell(5), x, dtype=tf.float32, scope="lstm")
    tf.nn.dynamic_rnn(cells.GRUBlockCellV2(5), x, dtype=tf.float32, sequence_length=[1, 3], scope="gru")
    tf.nn.static_rnn(cells.LSTMBlockCell(5, use_peephole=True), tf.unstack(x, axis=1), dtype=tf.float32, scope="static")


def fused_lstms(tf):
    cells = _contrib(tf)
    x = _batch(tf, (3, 2, 4))
    cells.LSTMBlockFusedCell(5)(x, dtype=tf.float32)
    cells.LSTMBlockFusedCell(5, 0.5, 2.0, True, name="all")(x, (tf.ones([2, 5]), tf.zeros([2, 5])))
    cells.LSTMBlockFusedCell(5, name="lengths")(x, dtype=tf.float32, sequence_length=[1, 3])
    half = _batch(tf, (3, 2, 4), dtype="float16")
    cells.LSTMBlockFusedCell(3, dtype=tf.half, name="half")(half, dtype=tf.half)


def fused_lstms_of_unknown_sizes(tf):
    cells = _contrib(tf)
    x = _batch(tf, (None, None, 4))
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    cells.LSTMBlockFusedCell(5)(x, dtype=tf.float32)
    cells.LSTMBlockFusedCell(5, name="b")(x, dtype=tf.float32, sequence_length=lengths)


def adapted_cells(tf):
    cells = _contrib(tf)
    x = _batch(tf, (3, 2, 4))
    lengths = tf.placeholder(tf.int32, [2], name="lengths")
    static = cells.FusedRNNCellAdaptor(cells.BasicRNNCell(5))
    static(x, dtype=tf.float32, scope="a")
    static([x[0], x[1]], initial_state=tf.zeros([2, 5]), scope="b")
    dynamic = cells.FusedRNNCellAdaptor(cells.LSTMCell(5), use_dynamic_rnn=True)
    dynamic(x, dtype=tf.float32, sequence_length=lengths, scope="c")
    dynamic([x[0], x[1]], dtype=tf.float32, scope="d")


def nets_from_the_end(tf):
    cells = _contrib(tf)
    x = _batch(tf, (3, 2, 4))
    reversed_lstm = cells.TimeReversedFusedRNN(cells.LSTMBlockFusedCell(5))
    reversed_lstm(x, dtype=tf.float32)
    reversed_lstm(x, dtype=tf.float32, sequence_length=tf.placeholder(tf.int32, [2]), scope="b")
    adapted = cells.TimeReversedFusedRNN(cells.FusedRNNCellAdaptor(cells.GRUCell(5)))
    adapted([x[0], x[1]], dtype=tf.float32)


def _train(tf, outputs):
    loss = tf.add_n([tf.reduce_sum(o * o) for o in tf.contrib.framework.nest.flatten(outputs)])
    tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def gradients_of_steps(tf):
    cells = _contrib(tf)
    x = _batch(tf, (None, 4))
    lstm, gru = cells.LSTMBlockCell(5, use_peephole=True), cells.GRUBlockCell(5)
    results = [lstm(x, lstm.zero_state(2, tf.float32)), gru(x, gru.zero_state(2, tf.float32))]
    tf.gradients(tf.contrib.framework.nest.flatten(results), [x, *tf.trainable_variables()])


def training_fused_lstms(tf):
    cells = _contrib(tf)
    x = _batch(tf, (3, 2, 4))
    first, _ = cells.LSTMBlockFusedCell(5)(x, dtype=tf.float32)
    second = cells.LSTMBlockFusedCell(3, use_peephole=True, name="b")
    _train(tf, second(first, dtype=tf.float32, sequence_length=tf.placeholder(tf.int32, [2])))


def training_cells_in_loops(tf):
    cells = _contrib(tf)
    x = _batch(tf)
    _train(
        tf,
        [
            tf.nn.dynamic_rnn(cells.LSTMBlockCell(5), x, dtype=tf.float32, scope="lstm"),
            tf.nn.dynamic_rnn(cells.GRUBlockCellV2(5), x, dtype=tf.float32, scope="gru"),
        ],
    )


def the_second_version(tf):
    x, state = _batch(tf, (3, 2, 4)), tf.zeros([2, 5])
    w, seen, b = tf.ones([9, 20]), tf.zeros([5]), tf.zeros([20])
    length = tf.constant(2, tf.int64)
    args = {"x": x, "cs_prev": state, "h_prev": state, "w": w, "wci": seen, "wcf": seen, "wco": seen, "b": b}
    tf.raw_ops.BlockLSTMV2(seq_len_max=length, **args)
    tf.raw_ops.BlockLSTMV2(seq_len_max=length, cell_clip=1.0, use_peephole=True, **args)
    tf.raw_ops.BlockLSTM(seq_len_max=length, **args)
