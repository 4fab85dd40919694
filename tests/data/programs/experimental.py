"""Transformations in tf.data.experimental that call no functions of elements, and sources."""

import numpy as np


def dense_to_sparse(tf):
    rows = tf.data.Dataset.range(5).map(lambda x: tf.fill([x], x))
    return rows.apply(tf.data.experimental.dense_to_sparse_batch(2, [6]))


def dense_to_sparse_unknown(tf):
    rows = tf.data.Dataset.range(5).map(lambda x: tf.fill([x], x))
    return rows.apply(tf.data.experimental.dense_to_sparse_batch(tf.constant(3, tf.int64), [None]))


def dense_to_sparse_tensor_shape(tf):
    rows = tf.data.Dataset.from_tensor_slices([["a", "b"], ["c", "d"], ["e", "f"]])
    return rows.apply(tf.data.experimental.dense_to_sparse_batch(2, tf.TensorShape([4])))


def dense_to_sparse_two_dimensions(tf):
    rows = tf.data.Dataset.from_tensor_slices(np.arange(12.0).reshape(3, 2, 2))
    return rows.apply(tf.data.experimental.dense_to_sparse_batch(batch_size=2, row_shape=[3, 2]))


def dense_to_sparse_too_small(tf):
    rows = tf.data.Dataset.range(5).map(lambda x: tf.fill([x], x))
    return rows.apply(tf.data.experimental.dense_to_sparse_batch(2, [2]))


def dense_to_sparse_pairs(tf):
    pairs = tf.data.Dataset.from_tensor_slices({"a": [[1]]})
    return pairs.apply(tf.data.experimental.dense_to_sparse_batch(2, [2]))


def dense_to_sparse_bad_shape(tf):
    rows = tf.data.Dataset.from_tensor_slices([[1], [2]])
    return rows.apply(tf.data.experimental.dense_to_sparse_batch(2, "x"))


def map_and_batch(tf):
    return tf.data.Dataset.range(7).apply(tf.data.experimental.map_and_batch(lambda x: (x, x * 2), 3))


def map_and_batch_drop(tf):
    return tf.data.Dataset.range(7).apply(tf.data.experimental.map_and_batch(lambda x: x * x, 3, drop_remainder=True))


def map_and_batch_parallel_batches(tf):
    transformation = tf.data.experimental.map_and_batch(lambda x: x + 1, 2, num_parallel_batches=4)
    return tf.data.Dataset.range(5).apply(transformation)


def map_and_batch_parallel_calls(tf):
    c = tf.constant(5, tf.int64, name="c")
    transformation = tf.data.experimental.map_and_batch(
        map_func=lambda x: {"a": x + c, "b": tf.as_string(x)},
        batch_size=tf.constant(2, tf.int64),
        num_parallel_calls=tf.data.experimental.AUTOTUNE,
        drop_remainder=tf.placeholder_with_default(False, []),
    )
    return tf.data.Dataset.range(5).apply(transformation)


def map_and_batch_both(tf):
    return tf.data.Dataset.range(5).apply(tf.data.experimental.map_and_batch(lambda x: x, 2, 3, False, 4))


def map_and_batch_named(tf):
    def double(x):
        if x > 2:
            x *= 2
        return x

    return tf.data.Dataset.range(5).apply(tf.data.experimental.map_and_batch(double, 2))


def map_and_batch_shapes_differ(tf):
    transformation = tf.data.experimental.map_and_batch(lambda x: tf.fill([x], x), 2)
    return tf.data.Dataset.range(5).apply(transformation)


def map_and_batch_legacy(tf):
    transformation = tf.data.experimental.map_and_batch_with_legacy_function(lambda x: x * 2, 3)
    return tf.data.Dataset.range(7).apply(transformation)


def map_and_batch_legacy_parallel(tf):
    c = tf.constant(2, tf.int64, name="c")
    transformation = tf.data.experimental.map_and_batch_with_legacy_function(
        lambda x: (x * c, c), 3, drop_remainder=True, num_parallel_calls=2
    )
    return tf.data.Dataset.range(7).apply(transformation)


def unbatch(tf):
    batches = tf.data.Dataset.from_tensor_slices({"a": [[1, 2], [3, 4]], "b": [["x", "y"], ["z", "w"]]})
    return batches.apply(tf.data.experimental.unbatch())


def unbatch_sparse(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0], [2, 2]], [1, 2, 3], [3, 3])
    return tf.data.Dataset.from_tensors(sparse).apply(tf.data.experimental.unbatch())


def unbatch_scalars(tf):
    return tf.data.Dataset.range(3).apply(tf.data.experimental.unbatch())


def enumerate_dataset(tf):
    names = tf.data.Dataset.from_tensor_slices(["a", "b", "c"])
    return names.apply(tf.data.experimental.enumerate_dataset())


def enumerate_from(tf):
    names = tf.data.Dataset.from_tensor_slices(["a", "b", "c"])
    return names.apply(tf.data.experimental.enumerate_dataset(start=5))


def shuffle_and_repeat(tf):
    return tf.data.Dataset.range(4).apply(tf.data.experimental.shuffle_and_repeat(10, 2, seed=7))


def shuffle_and_repeat_endless(tf):
    return tf.data.Dataset.range(4).apply(tf.data.experimental.shuffle_and_repeat(buffer_size=2, seed=3)).take(9)


def shuffle_and_repeat_graph_seed(tf):
    tf.set_random_seed(11)
    return tf.data.Dataset.range(4).apply(tf.data.experimental.shuffle_and_repeat(3, count=2))


def shuffle_and_repeat_no_buffer(tf):
    return tf.data.Dataset.range(4).apply(tf.data.experimental.shuffle_and_repeat(0, 2, seed=7))


def ignore_errors(tf):
    inverses = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 0.0, 4.0]).map(
        lambda x: tf.check_numerics(1.0 / x, "error")
    )
    return inverses.apply(tf.data.experimental.ignore_errors())


def unique(tf):
    return tf.data.Dataset.from_tensor_slices([1, 3, 1, 2, 3, 5]).apply(tf.data.experimental.unique())


def unique_strings(tf):
    return tf.data.Dataset.from_tensor_slices(["a", "b", "a", ""]).apply(tf.data.experimental.unique())


def unique_vectors(tf):
    return tf.data.Dataset.from_tensor_slices([[1, 2], [1, 2], [2, 1]]).apply(tf.data.experimental.unique())


def unique_floats(tf):
    return tf.data.Dataset.from_tensor_slices([1.0, 1.0]).apply(tf.data.experimental.unique())


def unique_pairs(tf):
    return tf.data.Dataset.from_tensor_slices(([1], [1])).apply(tf.data.experimental.unique())


def counter(tf):
    return tf.data.experimental.Counter().take(4)


def counter_start(tf):
    return tf.data.experimental.Counter(start=5, step=-2, dtype=tf.int32).take(4)


def counter_floats(tf):
    return tf.data.experimental.Counter(0.5, 0.25, tf.float32).take(4)


def counter_tensor(tf):
    return tf.data.experimental.Counter(tf.placeholder_with_default(np.int64(3), [])).take(2)


def counter_wrong_type(tf):
    return tf.data.experimental.Counter(start=1.5)


def random_dataset(tf):
    return tf.data.experimental.RandomDataset(seed=3).take(5)


def random_dataset_graph_seed(tf):
    tf.set_random_seed(4)
    return tf.data.experimental.RandomDataset().take(5)


def random_dataset_tensor_seed(tf):
    return tf.data.experimental.RandomDataset(tf.constant(3, tf.int64)).take(2)


def cardinality(tf):
    dataset = tf.data.Dataset.range(7).batch(2)
    cardinality = tf.data.experimental.cardinality
    return None, (cardinality(dataset), cardinality(dataset.repeat()), cardinality(dataset.filter(lambda x: True)))


def cardinality_constants(tf):
    e = tf.data.experimental
    return None, tf.constant([e.AUTOTUNE, e.INFINITE_CARDINALITY, e.UNKNOWN_CARDINALITY])


def single_element(tf):
    return None, tf.data.experimental.get_single_element(tf.data.Dataset.range(7).batch(10))


def single_element_nested(tf):
    dataset = tf.data.Dataset.from_tensors({"a": 1, "b": (tf.SparseTensor([[0]], [1], [2]), "x")})
    element = tf.data.experimental.get_single_element(dataset)
    return None, (element["a"], element["b"][0], element["b"][1])


def single_element_none(tf):
    return None, tf.data.experimental.get_single_element(tf.data.Dataset.range(0))


def single_element_many(tf):
    return None, tf.data.experimental.get_single_element(tf.data.Dataset.range(2))


def single_element_no_dataset(tf):
    return None, tf.data.experimental.get_single_element([1])


def bytes_stats(tf):
    return tf.data.Dataset.range(3).apply(tf.data.experimental.bytes_produced_stats("bytes"))


def latency_stats(tf):
    return tf.data.Dataset.range(3).apply(tf.data.experimental.latency_stats(tf.constant("latency")))


def stats_aggregator(tf):
    options = tf.data.Options()
    options.experimental_stats.aggregator = tf.data.experimental.StatsAggregator()
    options.experimental_stats.prefix = "p_"
    options.experimental_stats.counter_prefix = "c_"
    return tf.data.Dataset.range(3).apply(tf.data.experimental.latency_stats("x")).with_options(options)


def stats_summary(tf):
    aggregator = tf.data.experimental.StatsAggregator()
    return None, tf.strings.length(aggregator.get_summary()) >= 0


def sampled(tf):
    datasets = [tf.data.Dataset.from_tensors(x).repeat() for x in ("a", "b", "c")]
    return tf.data.experimental.sample_from_datasets(datasets, seed=5).take(20)


def sampled_weights(tf):
    datasets = [tf.data.Dataset.range(10 * x, 10 * x + 4) for x in range(3)]
    return tf.data.experimental.sample_from_datasets(datasets, [0.2, 0.5, 0.3], seed=6)


def sampled_double_weights(tf):
    datasets = [tf.data.Dataset.range(3), tf.data.Dataset.range(5, 9)]
    return tf.data.experimental.sample_from_datasets(datasets, np.array([0.25, 0.75]), seed=6)


def sampled_weight_dataset(tf):
    datasets = [tf.data.Dataset.range(4), tf.data.Dataset.range(10, 14)]
    weights = tf.data.Dataset.from_tensor_slices([[0.9, 0.1], [0.1, 0.9]]).repeat(3)
    return tf.data.experimental.sample_from_datasets(datasets, weights, seed=6)


def sampled_one(tf):
    return tf.data.experimental.sample_from_datasets([tf.data.Dataset.range(2)])


def sampled_integer_weights(tf):
    return tf.data.experimental.sample_from_datasets([tf.data.Dataset.range(2)] * 2, [1, 2])


def sampled_too_many_weights(tf):
    return tf.data.experimental.sample_from_datasets([tf.data.Dataset.range(2)] * 2, [0.1, 0.2, 0.7])


def sampled_different(tf):
    datasets = [tf.data.Dataset.range(2), tf.data.Dataset.from_tensors("a")]
    return tf.data.experimental.sample_from_datasets(datasets)


def sampled_shapes(tf):
    datasets = [tf.data.Dataset.from_tensors([1, 2]), tf.data.Dataset.from_tensors([1])]
    return tf.data.experimental.sample_from_datasets(datasets, seed=1)


def chosen(tf):
    datasets = [tf.data.Dataset.from_tensors(x).repeat() for x in ("a", "b", "c")]
    return tf.data.experimental.choose_from_datasets(datasets, tf.data.Dataset.range(3).repeat(2))


def chosen_ended(tf):
    choices = tf.data.Dataset.from_tensor_slices(np.array([0, 0, 0, 1, 0], np.int64))
    return tf.data.experimental.choose_from_datasets([tf.data.Dataset.range(2), tf.data.Dataset.range(9, 11)], choices)


def chosen_out_of_range(tf):
    choices = tf.data.Dataset.from_tensors(np.int64(7))
    return tf.data.experimental.choose_from_datasets([tf.data.Dataset.range(2)] * 2, choices)


def chosen_wrong_choices(tf):
    choices = tf.data.Dataset.from_tensors(1)
    return tf.data.experimental.choose_from_datasets([tf.data.Dataset.range(2)] * 2, choices)


def chosen_in_v2(tf):
    v2 = tf.compat.v2.data.experimental
    choices = tf.compat.v2.data.Dataset.range(2).repeat(2)
    return v2.choose_from_datasets([tf.compat.v2.data.Dataset.range(2)] * 2, choices).map(lambda x: x)


def counter_in_v2(tf):
    return tf.compat.v2.data.experimental.Counter(3).take(2)


def v2_dataset(tf):
    dataset = tf.compat.v2.data.Dataset.range(6).apply(tf.data.experimental.map_and_batch(lambda x: x + 1, 2))
    return dataset.map(lambda x: x * 2)


def v2_random(tf):
    return tf.compat.v2.data.experimental.RandomDataset(3).map(lambda x: x % 7).take(2)


def stateless_in_one_shot(tf):
    numbers = tf.data.Dataset.range(4).apply(tf.data.experimental.unique())
    return numbers.apply(tf.data.experimental.map_and_batch(lambda x: x, 2)).make_one_shot_iterator()
