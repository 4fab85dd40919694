"""Cells of `tf.contrib.rnn` built from basic ops."""


def _contrib(tf):
    from importlib import import_module

    return import_module(f"{tf.__name__}.contrib.rnn")


def _one_step(tf, cell, depth=4, dtype="float32"):
    with tf.variable_scope(None, "part"):
        x = tf.placeholder(dtype, [2, depth], name="x")
        return cell(x, cell.zero_state(2, "float32" if dtype.startswith("int") else dtype))


def _twice(tf, make, **options):
    """A single step, and a network that is a loop."""
    _one_step(tf, make(), **options)
    with tf.variable_scope(None, "loop"):
        x = tf.placeholder(tf.float32, [2, 3, options.get("depth", 4)], name="sequence")
        tf.nn.dynamic_rnn(make(), x, dtype=tf.float32)


def embeddings(tf):
    cells = _contrib(tf)
    _one_step(tf, cells.EmbeddingWrapper(cells.GRUCell(3), 7, 5), depth=1, dtype="int32")
    _one_step(
        tf, cells.EmbeddingWrapper(cells.LSTMCell(3), 7, 5, tf.ones_initializer(), reuse=tf.AUTO_REUSE), 1, "int32"
    )
    with tf.variable_scope("s", initializer=tf.zeros_initializer()):
        _one_step(tf, cells.EmbeddingWrapper(cells.BasicRNNCell(3), 7, 5), depth=1, dtype="int64")


def projections(tf):
    cells = _contrib(tf)
    _twice(tf, lambda: cells.InputProjectionWrapper(cells.GRUCell(3), 6))
    _one_step(tf, cells.InputProjectionWrapper(cells.LSTMCell(3), 6, tf.nn.relu))
    _twice(tf, lambda: cells.OutputProjectionWrapper(cells.LSTMCell(3), 6))
    _one_step(tf, cells.OutputProjectionWrapper(cells.GRUCell(3), 6, tf.tanh))


def highways(tf):
    cells = _contrib(tf)
    with tf.variable_scope("a"):
        _one_step(tf, cells.HighwayWrapper(cells.GRUCell(4)))
    with tf.variable_scope("b"):
        _one_step(tf, cells.HighwayWrapper(cells.BasicLSTMCell(4), False, 2.0))


def attention(tf):
    cells = _contrib(tf)
    _twice(tf, lambda: cells.AttentionCellWrapper(cells.LSTMCell(3), 5))
    _one_step(tf, cells.AttentionCellWrapper(cells.GRUCell(3), 2, 6, 7, 8, state_is_tuple=False))


def cells_that_see_themselves_only(tf):
    cells = _contrib(tf)
    _twice(tf, lambda: cells.IndRNNCell(3))
    _one_step(tf, cells.IndRNNCell(3, tf.nn.relu, name="named"))
    _twice(tf, lambda: cells.IndyGRUCell(3))
    ones, zeros = tf.ones_initializer(), tf.zeros_initializer()
    _one_step(tf, cells.IndyGRUCell(3, tf.nn.relu, kernel_initializer=ones, bias_initializer=zeros, name="g"))
    _twice(tf, lambda: cells.IndyLSTMCell(3))
    _one_step(tf, cells.IndyLSTMCell(3, 0.5, tf.nn.relu, None, ones, ones, "l"), dtype="float64")
    _twice(tf, lambda: cells.SRUCell(3))


def cells_of_other_gates(tf):
    cells = _contrib(tf)
    _twice(tf, lambda: cells.UGRNNCell(3))
    with tf.variable_scope("a"):
        _one_step(tf, cells.UGRNNCell(3, tf.ones_initializer(), 0.5, tf.nn.relu))
    _twice(tf, lambda: cells.IntersectionRNNCell(4))
    with tf.variable_scope("b"):
        _one_step(tf, cells.IntersectionRNNCell(3, 3, y_activation=tf.tanh))
    _twice(tf, lambda: cells.NASCell(3))
    _one_step(tf, cells.NASCell(3, 2, use_bias=True, name="n"))


def normalized_lstms(tf):
    cells = _contrib(tf)
    _twice(tf, lambda: cells.LayerNormBasicLSTMCell(3))
    _one_step(tf, cells.LayerNormBasicLSTMCell(3, 0.5, None, tf.nn.relu, True, 0.5, 0.25, 0.75, 3))
    _one_step(tf, cells.LayerNormBasicLSTMCell(3, layer_norm=False, dropout_keep_prob=tf.constant(0.5)))
    output, _ = _one_step(tf, cells.LayerNormBasicLSTMCell(3), dtype="float16")
    tf.gradients(output, tf.trainable_variables()[-11:])


def convolutions(tf):
    cells = _contrib(tf)
    made = [
        cells.Conv1DLSTMCell(input_shape=[6, 2], output_channels=3, kernel_shape=[3]),
        cells.Conv2DLSTMCell(input_shape=[4, 5, 2], output_channels=3, kernel_shape=(3, 2), skip_connection=True),
        cells.Conv3DLSTMCell(input_shape=[3, 4, 2, 1], output_channels=2, kernel_shape=[1, 2, 1], use_bias=False),
        cells.ConvLSTMCell(1, [6, 2], 3, [2], forget_bias=0.5),
    ]
    for i, (cell, shape) in enumerate(zip(made, ([6, 2], [4, 5, 2], [3, 4, 2, 1], [6, 2]))):
        with tf.variable_scope(f"s{i}"):
            x = tf.placeholder(tf.float32, [2, *shape], name="x")
            cell(x, cell.zero_state(2, tf.float32))
    net = cells.Conv2DLSTMCell(input_shape=[4, 5, 2], output_channels=3, kernel_shape=[3, 3], name="in_a_loop")
    outputs, _ = tf.nn.dynamic_rnn(net, tf.placeholder(tf.float32, [2, 3, 4, 5, 2]), dtype=tf.float32)
    tf.gradients(tf.reduce_sum(outputs), net.variables)


def linear_maps(tf):
    from importlib import import_module

    linear = import_module(f"{tf.__name__}.contrib.rnn.python.ops.core_rnn_cell")._linear
    x, y = tf.placeholder(tf.float32, [2, 4]), tf.placeholder(tf.float32, [2, 3])
    for i, args in enumerate((x, [x, y], (y,))):
        with tf.variable_scope(f"s{i}", partitioner=tf.fixed_size_partitioner(2)):
            linear(args, 5, True)
    with tf.variable_scope("a"):
        linear([x, y], 5, True, tf.ones_initializer(), tf.zeros_initializer())
    with tf.variable_scope("a", reuse=True):
        linear([x, y], 5, False)


def training_them(tf):
    cells = _contrib(tf)
    stack = cells.MultiRNNCell(
        [
            cells.AttentionCellWrapper(cells.IndyLSTMCell(4), 2),
            cells.HighwayWrapper(cells.SRUCell(4)),
            cells.OutputProjectionWrapper(cells.UGRNNCell(4), 3),
            cells.NASCell(3),
        ]
    )
    x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
    outputs, _ = tf.nn.dynamic_rnn(stack, x, dtype=tf.float32)
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(outputs))
