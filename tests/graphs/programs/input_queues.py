"""Readers and pipelines of queues."""


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
