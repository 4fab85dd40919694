"""Cells of `tf.contrib.rnn` that iterate over the frequencies of their input."""


def _contrib(tf):
    from importlib import import_module

    return import_module(f"{tf.__name__}.contrib.rnn")


def _one_step(tf, cell, depth=8, dtype="float32", batch=2, scope=None):
    with tf.variable_scope(scope, "part", reuse=tf.AUTO_REUSE if scope else None):
        x = tf.placeholder(dtype, [batch, depth], name="x")
        return cell(x, cell.zero_state(2 if batch is None else batch, dtype))


def _grids(cells, *args, **options):
    options = {"feature_size": 4, "frequency_skip": 2, "num_frequency_blocks": [3], **options}
    return cells.GridLSTMCell(*args, **options)


def _both_ways(cells, *args, **options):
    options = {"feature_size": 4, "frequency_skip": 2, "num_frequency_blocks": [3], **options}
    return cells.BidirectionalGridLSTMCell(*args, **options)


def time_frequency(tf):
    cells = _contrib(tf)
    _one_step(tf, cells.TimeFreqLSTMCell(3, feature_size=8))
    _one_step(tf, cells.TimeFreqLSTMCell(3, True, 0.5, tf.ones_initializer(), 3, 0.25, feature_size=8), dtype="float64")
    for peepholes in (False, True):
        cell = cells.TimeFreqLSTMCell(3, peepholes, feature_size=4, frequency_skip=3, num_unit_shards=2)
        with tf.variable_scope(None, "pieces"):
            cell(tf.placeholder(tf.float32, [2, 11]), tf.placeholder(tf.float32, [2, 18]))


def time_frequency_in_a_loop(tf):
    cells = _contrib(tf)
    cell = cells.TimeFreqLSTMCell(3, True, cell_clip=1.0, feature_size=4, num_unit_shards=2)
    outputs, _ = tf.nn.dynamic_rnn(cell, tf.placeholder(tf.float32, [2, 3, 4]), dtype=tf.float32)
    tf.gradients(tf.reduce_sum(outputs), tf.trainable_variables())


def grids(tf):
    cells = _contrib(tf)
    _one_step(tf, _grids(cells, 3))
    _one_step(tf, _grids(cells, 3), batch=None)
    _one_step(tf, _grids(cells, 3, num_unit_shards=3, forget_bias=0.5), dtype="float64")
    _one_step(tf, _grids(cells, 3, cell_clip=0.25, initializer=tf.ones_initializer()))


def grids_of_all_kinds(tf):
    cells = _contrib(tf)
    for kind in range(8):
        options = {
            "use_peepholes": bool(kind & 1),
            "share_time_frequency_weights": bool(kind & 2),
            "couple_input_forget_gates": bool(kind & 4),
        }
        _one_step(tf, _grids(cells, 3, **options), scope=f"of_one_{kind}")
        blocks = {"num_frequency_blocks": [2, 1], "start_freqindex_list": [0, 3], "end_freqindex_list": [6, 8]}
        _one_step(tf, _grids(cells, 2, **options, **blocks), scope=f"of_two_{kind}")


def grids_of_one_state(tf):
    cells = _contrib(tf)
    _one_step(tf, _grids(cells, 3, state_is_tuple=False))
    blocks = {"num_frequency_blocks": [2, 2], "start_freqindex_list": [0, 2], "end_freqindex_list": [6, 8]}
    _one_step(tf, _grids(cells, 3, state_is_tuple=False, **blocks))


def grids_twice(tf):
    cells = _contrib(tf)
    for _ in range(2):
        _one_step(tf, _grids(cells, 3, num_unit_shards=2), scope="same")
    cell = _grids(cells, 3, num_unit_shards=2, reuse=tf.AUTO_REUSE)
    _one_step(tf, cell, scope="again")
    _one_step(tf, cell, scope="again")


def grids_in_a_loop(tf):
    cells = _contrib(tf)
    x = tf.placeholder(tf.float32, [2, 3, 8])
    for name, cell in (("one", _grids(cells, 3, True)), ("both", _both_ways(cells, 2, backward_slice_offset=1))):
        outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope=name)
        tf.gradients(tf.reduce_sum(outputs), tf.trainable_variables(name))


def grids_both_ways(tf):
    cells = _contrib(tf)
    _one_step(tf, _both_ways(cells, 3))
    _one_step(tf, _both_ways(cells, 3, True, num_unit_shards=2, backward_slice_offset=2), batch=None)
    _one_step(tf, _both_ways(cells, 3, False, True, backward_slice_offset=-1.5), dtype="float64")
    blocks = {"num_frequency_blocks": [2, 1], "start_freqindex_list": [0, 3], "end_freqindex_list": [6, 8]}
    for kind in range(4):
        options = {"use_peepholes": bool(kind & 1), "couple_input_forget_gates": bool(kind & 2)}
        _one_step(tf, _both_ways(cells, 2, backward_slice_offset=3, **options, **blocks))


def training_grids(tf):
    cells = _contrib(tf)
    stack = cells.MultiRNNCell([_grids(cells, 2, True), _both_ways(cells, 1, num_frequency_blocks=[5])])
    outputs, _ = tf.nn.static_rnn(stack, [tf.placeholder(tf.float32, [2, 8])] * 2, dtype=tf.float32)
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(outputs[-1]))
