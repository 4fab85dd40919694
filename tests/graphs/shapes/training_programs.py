"""Graphs with loops, branches and training, as in `layer_programs.py`."""


def _train(tf, loss, optimizer=None):
    (optimizer or tf.train.GradientDescentOptimizer(0.1)).minimize(tf.reduce_mean(loss))


def _image(tf, batch=None, size=8, channels=3):
    return tf.placeholder(tf.float32, [batch, size, size, channels], name="image")


def recurrent_cells(tf):
    cells = tf.nn.rnn_cell
    x = tf.placeholder(tf.float32, [None, 5, 3], name="sequence")
    length = tf.placeholder(tf.int32, [None])
    for number, cell in enumerate(
        [cells.BasicRNNCell(4), cells.GRUCell(4), cells.LSTMCell(4, num_proj=3), cells.BasicLSTMCell(4)]
    ):
        with tf.variable_scope(f"cell{number}"):
            y, _ = tf.nn.dynamic_rnn(cell, x, length, dtype=tf.float32)
            _train(tf, y)
    with tf.variable_scope("stack"):
        stack = cells.MultiRNNCell(
            [cells.DropoutWrapper(cells.GRUCell(3), 0.5), cells.ResidualWrapper(cells.GRUCell(3))]
        )
        _train(tf, tf.nn.dynamic_rnn(stack, x, dtype=tf.float32)[0])
    with tf.variable_scope("both"):
        (a, b), _ = tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(4), cells.GRUCell(4), x, length, dtype=tf.float32)
        _train(tf, tf.concat([a, b], 2))
    with tf.variable_scope("unrolled"):
        y, _ = tf.nn.static_rnn(cells.LSTMCell(4), tf.unstack(x, axis=1), dtype=tf.float32)
        _train(tf, y[-1])


def recurrent_contrib(tf):
    rnn = tf.contrib.rnn
    x = tf.placeholder(tf.float32, [5, 2, 3], name="sequence")
    for number, cell in enumerate([rnn.LSTMBlockCell(4), rnn.GRUBlockCellV2(4)]):
        with tf.variable_scope(f"cell{number}"):
            _train(tf, tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, time_major=True)[0])
    with tf.variable_scope("fused"):
        _train(tf, rnn.LSTMBlockFusedCell(4)(x, dtype=tf.float32)[0])
    with tf.variable_scope("attention"):
        seq2seq = tf.contrib.seq2seq
        memory = tf.placeholder(tf.float32, [2, 6, 4])
        cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(4), seq2seq.BahdanauAttention(4, memory), 4)
        y, _ = tf.nn.dynamic_rnn(cell, tf.transpose(x, [1, 0, 2]), dtype=tf.float32)
        _train(tf, y)


def loops(tf):
    w = tf.get_variable("w", [4])
    x = tf.placeholder(tf.float32, [None, 4])
    _train(tf, tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s * w), [0, x])[1])
    grow = tf.while_loop(
        lambda i, s: i < 3,
        lambda i, s: (i + 1, tf.concat([s, s], 0)),
        [0, x],
        [tf.TensorShape([]), tf.TensorShape([None, 4])],
    )[1]
    _train(tf, grow * w)
    _train(tf, tf.map_fn(lambda row: row * w, x))
    _train(tf, tf.scan(lambda a, row: a * w + row, x, tf.zeros([4])))
    _train(tf, tf.foldl(lambda a, row: a * w + row, x, tf.zeros([4])))
    _train(tf, tf.cond(tf.placeholder(tf.bool, []), lambda: x * w, lambda: x + w))
    _train(tf, tf.case([(tf.placeholder(tf.bool, []), lambda: x * w)], lambda: x[:, :4] - w))
    nested = tf.while_loop(
        lambda i, s: i < 3,
        lambda i, s: (i + 1, tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t * w), [0, s])[1]),
        [0, x],
    )[1]
    _train(tf, nested)
    array = tf.TensorArray(tf.float32, 3, element_shape=[4])
    array = array.write(0, w).write(1, w * 2.0).write(2, w)
    _train(tf, array.stack())
    _train(
        tf, tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, tf.cond(i > 2, lambda: s * w, lambda: s)), [0, x])[1]
    )


def functions(tf):
    w = tf.get_variable("w", [4], use_resource=True)
    x = tf.placeholder(tf.float32, [None, 4])

    @tf.function
    def product(a):
        return a * w

    _train(tf, product(x))
    _train(tf, tf.custom_gradient(lambda a: (a * 2.0, lambda dy: dy * 2.0))(x * w))


def control_flow_v2(tf):
    tf.enable_control_flow_v2()
    try:
        loops(tf)
    finally:
        tf.disable_control_flow_v2()


def optimizers(tf):
    train, contrib = tf.train, tf.contrib.opt
    makers = [
        lambda: train.GradientDescentOptimizer(0.1),
        lambda: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        lambda: train.AdamOptimizer(),
        lambda: train.AdagradOptimizer(0.1),
        lambda: train.AdadeltaOptimizer(),
        lambda: train.AdagradDAOptimizer(0.1, train.get_or_create_global_step()),
        lambda: train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1),
        lambda: train.RMSPropOptimizer(0.1, centered=True),
        lambda: train.ProximalAdagradOptimizer(0.1, l2_regularization_strength=0.1),
        lambda: train.ProximalGradientDescentOptimizer(0.1),
        lambda: contrib.NadamOptimizer(),
        lambda: contrib.LazyAdamOptimizer(),
    ]
    ids = tf.placeholder(tf.int32, [None])
    for is_resource in (False, True):
        for number, make in enumerate(makers):
            with tf.variable_scope(f"o{number}{is_resource}", use_resource=is_resource):
                dense, sparse = tf.get_variable("dense", [3, 4]), tf.get_variable("sparse", [10, 4])
                y = tf.matmul(tf.nn.embedding_lookup(sparse, ids), dense, transpose_b=True)
                optimizer = make()
                gradients = optimizer.compute_gradients(tf.reduce_mean(y), [dense, sparse])
                clipped, _ = tf.clip_by_global_norm([g for g, _ in gradients], 1.0)
                optimizer.apply_gradients(zip(clipped, [v for _, v in gradients]))


def training_around(tf):
    step = tf.train.get_or_create_global_step()
    for decay in (
        lambda: tf.train.exponential_decay(0.1, step, 10, 0.9, True),
        lambda: tf.train.piecewise_constant(step, [10, 20], [0.1, 0.01, 0.001]),
        lambda: tf.train.polynomial_decay(0.1, step, 10, cycle=True),
        lambda: tf.train.cosine_decay_restarts(0.1, step, 10),
    ):
        decay()
    w = tf.get_variable("w", [3, 4], regularizer=tf.contrib.layers.l2_regularizer(0.1))
    average = tf.train.ExponentialMovingAverage(0.9, step, zero_debias=True)
    average.apply([w, tf.reduce_sum(w)])
    tf.losses.get_regularization_loss()
    labels, predictions = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.int64, [None])
    _ = tf.metrics.accuracy(labels, predictions), tf.metrics.mean_iou(labels, predictions, 4)
    _ = tf.metrics.auc(labels, tf.cast(predictions, tf.float32)), tf.metrics.mean(tf.cast(labels, tf.float32))
    _ = tf.summary.scalar("loss", tf.reduce_sum(w)), tf.summary.histogram("w", w), tf.summary.merge_all()
    _ = tf.train.Saver([w]), tf.report_uninitialized_variables(), tf.global_variables_initializer()
    queue = tf.FIFOQueue(10, [tf.float32, tf.int32], [[3], []])
    _ = queue.enqueue([tf.ones([3]), 1]), queue.dequeue(), queue.dequeue_many(4), queue.dequeue_up_to(4), queue.size()
    (
        tf.train.batch([tf.ones([3]), 1], 5),
        tf.train.shuffle_batch([tf.ones([3])], 5, 100, 10, allow_smaller_final_batch=True),
    )
    _ = tf.train.limit_epochs(tf.ones([3]), 2), tf.train.slice_input_producer([tf.ones([5, 3])])


def strings_and_files(tf):
    text = tf.placeholder(tf.string, [None])
    (
        tf.string_join([text, text]),
        tf.substr(text, 0, 2),
        tf.string_to_number(text),
        tf.as_string([1, 2]),
        tf.string_split(text),
    )
    (
        tf.regex_replace(text, "a", "b"),
        tf.string_to_hash_bucket_fast(text, 5),
        tf.decode_raw(text, tf.float32),
        tf.encode_base64(text),
    )
    _ = tf.parse_example(text, {"a": tf.FixedLenFeature([3], tf.float32), "b": tf.VarLenFeature(tf.int64)})
    _ = tf.parse_single_example(tf.placeholder(tf.string, []), {"a": tf.FixedLenFeature([2, 2], tf.float32)})
    _ = tf.decode_csv(text, [[1.0], ["a"]]), tf.read_file("x"), tf.matching_files("x"), tf.reduce_join(text, 0)
    table = tf.contrib.lookup.index_table_from_tensor(["a", "b"], num_oov_buckets=1)
    table.lookup(text)
    data = tf.data.Dataset.from_tensor_slices(tf.ones([10, 3])).map(lambda x: x * 2.0).batch(4).repeat()
    tf.data.make_initializable_iterator(data).get_next()


def a_network(tf):
    is_training = tf.placeholder_with_default(False, [], name="is_training")
    x = _image(tf, None, 16)
    y = tf.layers.conv2d(x, 8, 3, 2, "same", use_bias=False)
    for _block in range(2):
        rest = y
        for _ in range(2):
            y = tf.layers.conv2d(y, 8, 3, 1, "same", use_bias=False)
            y = tf.nn.relu(tf.layers.batch_normalization(y, training=is_training))
        y = y + rest
        y = tf.layers.max_pooling2d(y, 2, 2)
    y = tf.layers.dropout(tf.reduce_mean(y, [1, 2]), 0.4, training=is_training)
    logits = tf.layers.dense(y, 10)
    loss = tf.losses.sparse_softmax_cross_entropy(tf.placeholder(tf.int64, [None]), logits)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        tf.train.AdamOptimizer().minimize(loss, tf.train.get_or_create_global_step())
