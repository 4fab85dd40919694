"""Readers and queue-based input pipelines."""


def _texts(tf):
    return tf.placeholder(tf.string, [5], name="texts")


def _example(tf):
    return [tf.constant([1.0, 2.0]), tf.constant("a")]


def readers(tf):
    queue = tf.FIFOQueue(3, tf.string)
    for make in [
        lambda: tf.TextLineReader(),
        lambda: tf.TextLineReader(skip_header_lines=1, name="lines"),
        lambda: tf.WholeFileReader(),
        lambda: tf.FixedLengthRecordReader(3),
        lambda: tf.FixedLengthRecordReader(3, 1, 2, 4, name="fixed", encoding="ZLIB"),
        lambda: tf.TFRecordReader(),
        lambda: tf.TFRecordReader(options=tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)),
        lambda: tf.IdentityReader(),
    ]:
        reader = make()
        reader.read(queue)
        reader.read_up_to(queue.queue_ref, 3, name="some")
        reader.num_records_produced()
        reader.num_work_units_completed()
        reader.restore_state(reader.serialize_state())
        reader.reset()


def string_input_producer(tf):
    tf.train.string_input_producer(["a", "b"])


def string_input_producer_2(tf):
    tf.train.string_input_producer(_texts(tf), num_epochs=2, shuffle=False, capacity=7, shared_name="s", name="p")


def string_input_producer_3(tf):
    tf.train.string_input_producer(tf.train.match_filenames_once("*.txt"), seed=3, cancel_op=tf.no_op())


def input_producer(tf):
    tf.train.input_producer([[1, 2], [3, 4]], summary_name="full", name="rows")


def input_producer_2(tf):
    tf.train.input_producer(tf.placeholder(tf.float32), element_shape=[2], num_epochs=1, capacity=2)


def range_input_producer(tf):
    tf.train.range_input_producer(5, num_epochs=3)


def slice_input_producer(tf):
    tf.train.slice_input_producer([_texts(tf), tf.constant([1, 2, 3, 4, 5])], shuffle=False)


def limit_epochs(tf):
    tf.train.limit_epochs(tf.constant(1.0), 3)
    tf.train.limit_epochs(tf.constant(1.0), 3, name="limited")


def match_filenames_once(tf):
    tf.train.match_filenames_once(["*.txt", "*.csv"], name="files")


def batch(tf):
    tf.train.batch(_example(tf), 3)


def batch_2(tf):
    tf.train.batch({"b": tf.constant(1), "a": tf.constant([2])}, 3, 2, 9, dynamic_pad=True, name="made")


def batch_3(tf):
    tf.train.batch([_texts(tf)], 3, enqueue_many=True, allow_smaller_final_batch=True, shared_name="q")


def batch_4(tf):
    tf.train.batch([tf.placeholder(tf.float32)], tf.constant(3), shapes=[[2]])


def maybe_batch(tf):
    tf.train.maybe_batch(_example(tf), tf.placeholder(tf.bool, []), 3)


def maybe_batch_2(tf):
    tf.train.maybe_batch([_texts(tf)], tf.placeholder(tf.bool, [5]), 3, enqueue_many=True)


def maybe_batch_3(tf):
    tf.train.maybe_batch(_example(tf), False, 3)


def batch_join(tf):
    tf.train.batch_join([_example(tf), _example(tf)], 3)


def batch_join_2(tf):
    tf.train.batch_join([{"a": tf.constant(1)}, {"a": tf.constant(2)}], 3, 9, dynamic_pad=True, name="made")


def maybe_batch_join(tf):
    tf.train.maybe_batch_join([_example(tf), _example(tf)], tf.placeholder(tf.bool, []), 3)


def shuffle_batch(tf):
    tf.train.shuffle_batch(_example(tf), 3, 20, 10)


def shuffle_batch_2(tf):
    tf.train.shuffle_batch([_texts(tf)], 3, 20, 10, 2, 7, True, allow_smaller_final_batch=True, name="made")


def maybe_shuffle_batch(tf):
    tf.train.maybe_shuffle_batch(_example(tf), 3, 20, 10, tf.placeholder(tf.bool, []), num_threads=2)


def shuffle_batch_join(tf):
    tf.train.shuffle_batch_join([_example(tf), _example(tf)], 3, 20, 10, seed=2)


def maybe_shuffle_batch_join(tf):
    tf.train.maybe_shuffle_batch_join([[_texts(tf)]] * 2, 3, 20, 10, tf.placeholder(tf.bool, [5]), enqueue_many=True)


def lines_in_batches(tf):
    names = tf.train.string_input_producer(["a.csv"], num_epochs=1)
    _, line = tf.TextLineReader().read(names)
    fields = tf.decode_csv(line, [[0.0], [0]])
    tf.train.shuffle_batch(fields, 32, 1000, 500)


def _sparse(tf):
    return tf.SparseTensor(tf.placeholder(tf.int64, [None, 2]), [1.0, 2.0], [3, 4])


def sparse_batch(tf):
    tf.train.batch([_sparse(tf), _sparse(tf), tf.constant(1)], 3)


def sparse_batch_2(tf):
    tf.train.batch({"b": _sparse(tf), "a": tf.range(3)}, 3, enqueue_many=True, name="made")


def sparse_batch_3(tf):
    tf.train.maybe_batch([_sparse(tf)], tf.placeholder(tf.bool, []), 3)


def sparse_batch_4(tf):
    tf.train.maybe_batch([_sparse(tf)], tf.placeholder(tf.bool, []), 3, enqueue_many=True)


def sparse_batch_5(tf):
    tf.train.maybe_batch([_sparse(tf), _texts(tf)], tf.placeholder(tf.bool, [5]), 3, enqueue_many=True)


def sparse_batch_join(tf):
    tf.train.batch_join([[_sparse(tf), 1], [_sparse(tf), 2]], 3)


def sparse_shuffle_batch(tf):
    tf.train.shuffle_batch([_sparse(tf)], 3, 20, 10, allow_smaller_final_batch=True)


def sparse_shuffle_batch_join(tf):
    tf.train.shuffle_batch_join([[_sparse(tf)], [_sparse(tf)]], 3, 20, 10, enqueue_many=True)


def sparse_messages(tf):
    sparse = _sparse(tf)
    tf.deserialize_many_sparse(tf.serialize_many_sparse(sparse), tf.float32, rank=1)
    tf.serialize_sparse(sparse, name="one")
    tf.sparse_retain(sparse, [True, False])


def sparse_accumulators(tf):
    sums = tf.SparseConditionalAccumulator(tf.float32, shape=[3, 2], shared_name="s")
    sums.apply_grad([1], [[1.0, 2.0]], [3, 2], 4)
    sums.apply_indexed_slices_grad(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1])), name="a")
    sums.take_indexed_slices_grad(2)
    sums.take_grad(tf.placeholder(tf.int32), name="t")
    sums.num_accumulated()
    sums.set_global_step(tf.constant(3))


def staging_areas(tf):
    area = tf.contrib.staging.StagingArea([tf.float32, tf.int32], shapes=[[], [2]], capacity=3, memory_limit=9)
    area.put([tf.constant(1.0), tf.constant([1, 2])])
    with tf.device("/cpu:0"):
        area.get()
    area.peek(tf.constant(1), name="p")
    area.size()
    area.clear(name="c")


def replicas(tf):
    w = tf.get_variable("w", [2])
    table = tf.get_variable("table", [3, 2])
    loss = tf.reduce_sum(tf.nn.embedding_lookup(table, [1, 2])) * tf.reduce_sum(w)
    average = tf.train.ExponentialMovingAverage(0.9)
    opt = tf.train.SyncReplicasOptimizer(
        tf.train.MomentumOptimizer(0.1, 0.9), 2, 3, variable_averages=average, variables_to_average=[w]
    )
    opt.minimize(loss, global_step=tf.train.get_or_create_global_step())
    opt.make_session_run_hook(True).begin()


def replicas_2(tf):
    with tf.device(tf.train.replica_device_setter(1)):
        w = tf.get_variable("w", [2], use_resource=True)
        step = tf.train.get_or_create_global_step()
        opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2, name="together")
        opt.apply_gradients([(None, tf.get_variable("v", [1])), (tf.ones([2]), w)], step)
    opt.get_init_tokens_op(0)
