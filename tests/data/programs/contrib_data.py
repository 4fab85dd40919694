"""Datasets of tf.contrib.data."""

import numpy as np


def slid(tf):
    return tf.data.Dataset.range(6).apply(tf.contrib.data.sliding_window_batch(3))


def slid_stride(tf):
    return tf.data.Dataset.range(8).apply(tf.contrib.data.sliding_window_batch(2, stride=3))


def slid_shift(tf):
    pairs = tf.data.Dataset.from_tensor_slices((np.arange(8), ["a"] * 8))
    return pairs.apply(tf.contrib.data.sliding_window_batch(window_size=2, window_shift=3, window_stride=2))


def slid_sparse(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0], [2, 2]], [1, 2, 3], [3, 3])
    return tf.data.Dataset.from_tensor_slices(sparse).apply(tf.contrib.data.sliding_window_batch(2))


def slid_both(tf):
    return tf.contrib.data.sliding_window_batch(2, stride=3, window_shift=1), None


def slid_zero(tf):
    return tf.data.Dataset.range(6).apply(tf.contrib.data.sliding_window_batch(0))


def shapes_checked(tf):
    rows = tf.data.Dataset.range(3).map(lambda x: (tf.fill([x + 1], x), x))
    return rows.apply(tf.contrib.data.assert_element_shape((tf.TensorShape([2]), tf.TensorShape([]))))


def shapes_known(tf):
    rows = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
    return rows.apply(tf.contrib.data.assert_element_shape(tf.TensorShape([None])))


def shapes_differ(tf):
    rows = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
    return rows.apply(tf.contrib.data.assert_element_shape(tf.TensorShape([3])))


def shapes_of_dict(tf):
    rows = tf.data.Dataset.range(3).map(lambda x: {"a": tf.fill([x], x), "b": x})
    expected = {"a": tf.TensorShape(None), "b": tf.TensorShape([])}
    return rows.apply(tf.contrib.data.assert_element_shape(expected))


def batches(tf):
    return tf.data.Dataset.range(5).apply(tf.contrib.data.batch_and_drop_remainder(2))


def padded_batches(tf):
    rows = tf.data.Dataset.range(5).map(lambda x: tf.fill([x], x))
    return rows.apply(tf.contrib.data.padded_batch_and_drop_remainder(2, [None], np.int64(-1)))


def mapped_batches(tf):
    return tf.data.Dataset.range(5).apply(tf.contrib.data.map_and_batch(lambda x: x + 1, 2))


def reduced(tf):
    reducer = tf.contrib.data.Reducer(lambda key: np.int64(0), lambda s, x: s + x, lambda s: s)
    return None, tf.contrib.data.reduce_dataset(tf.data.Dataset.range(5), reducer)


def reduced_no_dataset(tf):
    return None, tf.contrib.data.reduce_dataset([1], None)


def sloppy(tf):
    return tf.data.Dataset.range(3).apply(
        tf.contrib.data.sloppy_interleave(lambda x: tf.data.Dataset.from_tensors(x), cycle_length=1)
    )


def interleaved(tf):
    return tf.data.Dataset.range(3).apply(
        tf.contrib.data.parallel_interleave(lambda x: tf.data.Dataset.range(x), cycle_length=2)
    )


def random_numbers(tf):
    return tf.contrib.data.RandomDataset(3).take(2)


def counted(tf):
    return tf.contrib.data.Counter(2).take(3)


def scanned(tf):
    return tf.data.Dataset.range(4).apply(tf.contrib.data.scan(np.int64(1), lambda s, x: (s * 2, s + x)))


def shuffled(tf):
    return tf.data.Dataset.range(4).apply(tf.contrib.data.shuffle_and_repeat(3, 2, 5))


def grouped(tf):
    return tf.data.Dataset.range(6).apply(
        tf.contrib.data.group_by_window(lambda x: x % 2, lambda k, d: d.batch(2), window_size=2)
    )


def csv_rows(tf, folder):
    with open(folder + "/a.csv", "wb") as file:
        file.write(b"1,a\n2,b\n")
    return tf.contrib.data.CsvDataset([folder + "/a.csv"], [tf.int32, tf.string])


def batch_of_features(tf, folder):
    with tf.python_io.TFRecordWriter(folder + "/a.tfrecord") as writer:
        for number in range(3):
            feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[number]))
            writer.write(tf.train.Example(features=tf.train.Features(feature={"id": feature})).SerializeToString())
    features = {"id": tf.FixedLenFeature([], tf.int64)}
    return None, tf.contrib.data.read_batch_features(
        folder + "/*.tfrecord", 2, features, randomize_input=False, num_epochs=1
    )
