"""Transformations in tf.data.experimental that call functions of elements."""

import numpy as np


def scan(tf):
    return tf.data.Dataset.range(5).apply(tf.data.experimental.scan(np.int64(0), lambda s, x: (s + x, s)))


def scan_nested(tf):
    def step(state, a, b):
        count, total = state
        return (count + 1, total + tf.cast(a, tf.float32)), {"mean": total / tf.cast(count + 1, tf.float32), "b": b}

    pairs = tf.data.Dataset.from_tensor_slices(([1, 2, 3], ["a", "b", "c"]))
    return pairs.apply(tf.data.experimental.scan((0, 0.0), lambda s, e: step(s, *e)))


def scan_captures(tf):
    c = tf.constant(2, tf.int64, name="c")
    return tf.data.Dataset.range(3).apply(tf.data.experimental.scan(c, lambda s, x: (s * c, x + s)))


def scan_growing(tf):
    start = np.zeros([0], np.int64)
    return tf.data.Dataset.range(3).apply(
        tf.data.experimental.scan(start, lambda s, x: (tf.concat([s, [x]], 0), tf.size(s)))
    )


def scan_sparse(tf):
    start = tf.SparseTensor([[0]], [1], [2])
    return tf.data.Dataset.range(3).apply(
        tf.data.experimental.scan(start, lambda s, x: (tf.SparseTensor(s.indices, s.values * 2, s.dense_shape), s))
    )


def scan_condition(tf):
    def step(state, x):
        if x > 2:
            state += 10
        else:
            state += 1
        return state, state

    return tf.data.Dataset.range(5).apply(tf.data.experimental.scan(np.int64(0), step))


def scan_no_pair(tf):
    return tf.data.Dataset.range(5).apply(tf.data.experimental.scan(np.int64(0), lambda s, x: s + x))


def scan_list(tf):
    return tf.data.Dataset.range(3).apply(tf.data.experimental.scan(np.int64(0), lambda s, x: [s + x, s]))


def scan_other_type(tf):
    return tf.data.Dataset.range(5).apply(tf.data.experimental.scan(0, lambda s, x: (x, s)))


def scan_other_class(tf):
    return tf.data.Dataset.range(5).apply(
        tf.data.experimental.scan(0, lambda s, x: (tf.SparseTensor([[0]], [1], [2]), s))
    )


def take_while(tf):
    return tf.data.Dataset.range(10).apply(tf.data.experimental.take_while(lambda x: x < 4))


def take_while_captures(tf):
    limit = tf.constant(2, name="limit")
    pairs = tf.data.Dataset.from_tensor_slices(([0, 1, 2, 0], ["a", "b", "c", "d"]))
    return pairs.apply(tf.data.experimental.take_while(lambda x, _: tf.less(x, limit)))


def take_while_condition(tf):
    def small(x):
        if x > 5:
            x *= 2
        return x < 7

    return tf.data.Dataset.range(10).apply(tf.data.experimental.take_while(small))


def take_while_no_bool(tf):
    return tf.data.Dataset.range(10).apply(tf.data.experimental.take_while(lambda x: x))


def take_while_vector(tf):
    return tf.data.Dataset.range(10).apply(tf.data.experimental.take_while(lambda x: [x < 3]))


def grouped_by_window(tf):
    grouping = tf.data.experimental.group_by_window(lambda x: x % 2, lambda k, d: d.batch(3), window_size=3)
    return tf.data.Dataset.range(10).apply(grouping)


def grouped_by_window_sizes(tf):
    def size_of(key):
        return (key + 1) * 2

    def reduce(key, window):
        return window.map(lambda x: (key, x)).batch(8)

    grouping = tf.data.experimental.group_by_window(lambda x: x % 3, reduce, window_size_func=size_of)
    return tf.data.Dataset.range(12).apply(grouping)


def grouped_by_window_pairs(tf):
    pairs = tf.data.Dataset.from_tensor_slices(([1, 2, 1, 1], ["a", "b", "c", "d"]))
    offset = tf.constant(1, tf.int64, name="offset")
    grouping = tf.data.experimental.group_by_window(
        key_func=lambda x, s: tf.cast(x, tf.int64) + offset,
        reduce_func=lambda key, d: d.map(lambda x, s: (s, key)),
        window_size=tf.constant(2, tf.int64, name="size"),
    )
    return pairs.apply(grouping)


def grouped_by_window_int_key(tf):
    grouping = tf.data.experimental.group_by_window(lambda x: 5, lambda k, d: d.batch(2), 2)
    return tf.data.Dataset.range(4).apply(grouping)


def grouped_by_window_int32_key(tf):
    numbers = tf.data.Dataset.from_tensor_slices([1, 2])
    return numbers.apply(tf.data.experimental.group_by_window(lambda x: x, lambda k, d: d.batch(2), 2))


def grouped_by_window_vector_key(tf):
    return tf.data.Dataset.range(4).apply(
        tf.data.experimental.group_by_window(lambda x: [x], lambda k, d: d.batch(2), 2)
    )


def grouped_by_window_condition(tf):
    def key(x):
        if x > 2:
            return np.int64(1)
        return np.int64(0)

    return tf.data.Dataset.range(4).apply(tf.data.experimental.group_by_window(key, lambda k, d: d.batch(2), 2))


def grouped_by_window_reduce_condition(tf):
    def reduce(key, window):
        if key > 0:
            size = np.int64(1)
        else:
            size = np.int64(2)
        return window.batch(size)

    return tf.data.Dataset.range(6).apply(tf.data.experimental.group_by_window(lambda x: x % 2, reduce, 2))


def grouped_by_window_no_dataset(tf):
    return tf.data.Dataset.range(4).apply(tf.data.experimental.group_by_window(lambda x: x, lambda k, d: k, 2))


def grouped_by_window_two_sizes(tf):
    return tf.data.experimental.group_by_window(lambda x: x, lambda k, d: d, 2, lambda k: 2), None


def grouped_by_window_no_size(tf):
    return tf.data.experimental.group_by_window(lambda x: x, lambda k, d: d), None


def grouped_by_window_zero_size(tf):
    grouping = tf.data.experimental.group_by_window(lambda x: x % 2, lambda k, d: d.batch(3), window_size=0)
    return tf.data.Dataset.range(10).apply(grouping)


def grouped_by_window_vector_size(tf):
    grouping = tf.data.experimental.group_by_window(lambda x: x, lambda k, d: d, window_size_func=lambda k: [2])
    return tf.data.Dataset.range(10).apply(grouping)


def _sum_reducer(tf):
    return tf.data.experimental.Reducer(
        init_func=lambda _: (np.int64(0), 0.0),
        reduce_func=lambda state, value: (state[0] + value, state[1] + 1.0),
        finalize_func=lambda total, count: (total, tf.cast(total, tf.float32) / count),
    )


def grouped_by_reducer(tf):
    return tf.data.Dataset.range(10).apply(tf.data.experimental.group_by_reducer(lambda x: x % 3, _sum_reducer(tf)))


def grouped_by_reducer_captures(tf):
    c = tf.constant(3, tf.int64, name="c")
    reducer = tf.data.experimental.Reducer(lambda key: key * c, lambda s, x: s + x * c, lambda s: {"sum": s - c})
    return tf.data.Dataset.range(10).apply(tf.data.experimental.group_by_reducer(lambda x: x % c, reducer))


def grouped_by_reducer_growing(tf):
    reducer = tf.data.experimental.Reducer(
        lambda _: np.zeros([0], np.int64), lambda s, x: tf.concat([s, [x]], 0), lambda s: s
    )
    return tf.data.Dataset.range(5).apply(tf.data.experimental.group_by_reducer(lambda x: x % 2, reducer))


def grouped_by_reducer_other_type(tf):
    reducer = tf.data.experimental.Reducer(lambda _: 0, lambda s, x: x, lambda s: s)
    return tf.data.Dataset.range(5).apply(tf.data.experimental.group_by_reducer(lambda x: x % 2, reducer))


def grouped_by_reducer_int32_key(tf):
    numbers = tf.data.Dataset.from_tensor_slices([1, 2])
    return numbers.apply(tf.data.experimental.group_by_reducer(lambda x: x, _sum_reducer(tf)))


def grouped_by_reducer_condition(tf):
    def key(x):
        if x > 2:
            x = np.int64(1)
        return x

    return tf.data.Dataset.range(5).apply(tf.data.experimental.group_by_reducer(key, _sum_reducer(tf)))


def _rows(tf, lengths=(1, 4, 2, 7, 5, 1, 3, 8)):
    return tf.data.Dataset.from_tensor_slices(np.array(lengths, np.int64)).map(lambda n: tf.fill([n], n))


def buckets(tf):
    bucketing = tf.data.experimental.bucket_by_sequence_length(lambda x: tf.shape(x)[0], [3, 6], [2, 3, 1])
    return _rows(tf).apply(bucketing)


def buckets_to_boundary(tf):
    bucketing = tf.data.experimental.bucket_by_sequence_length(
        lambda x: tf.size(x), [3, 6, 9], [2, 3, 1, 1], pad_to_bucket_boundary=True
    )
    return _rows(tf).apply(bucketing)


def buckets_beyond_boundary(tf):
    bucketing = tf.data.experimental.bucket_by_sequence_length(
        lambda x: tf.size(x), [3, 6], [2, 3, 1], pad_to_bucket_boundary=True
    )
    return _rows(tf).apply(bucketing)


def buckets_no_padding(tf):
    bucketing = tf.data.experimental.bucket_by_sequence_length(
        lambda x: tf.size(x), [2, 3], [2, 2, 2], no_padding=True, drop_remainder=True
    )
    return _rows(tf, (1, 2, 2, 1, 2)).apply(bucketing)


def buckets_values(tf):
    pairs = _rows(tf).map(lambda x: (x, tf.size(x)))
    bucketing = tf.data.experimental.bucket_by_sequence_length(
        element_length_func=lambda x, n: n,
        bucket_boundaries=[4],
        bucket_batch_sizes=[2, 2],
        padded_shapes=([9], []),
        padding_values=(np.int64(-1), 0),
        drop_remainder=True,
    )
    return pairs.apply(bucketing)


def buckets_in_scope(tf):
    with tf.name_scope("outer"):
        bucketing = tf.data.experimental.bucket_by_sequence_length(lambda x: tf.size(x), [3], [2, 3])
        return _rows(tf).apply(bucketing)


def buckets_wrong_sizes(tf):
    return tf.data.experimental.bucket_by_sequence_length(lambda x: tf.size(x), [3, 6], [2, 3]), None


def interleaved(tf):
    interleaving = tf.data.experimental.parallel_interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(3), cycle_length=2, block_length=2
    )
    return tf.data.Dataset.range(4).apply(interleaving)


def interleaved_ahead(tf):
    c = tf.constant(10, tf.int64, name="c")
    interleaving = tf.data.experimental.parallel_interleave(
        lambda x: tf.data.Dataset.range(c * x, c * x + x),
        cycle_length=3,
        sloppy=False,
        buffer_output_elements=1,
        prefetch_input_elements=0,
    )
    return tf.data.Dataset.range(5).apply(interleaving)


def interleaved_sloppy(tf):
    interleaving = tf.data.experimental.parallel_interleave(lambda x: tf.data.Dataset.from_tensors(x), 1, sloppy=True)
    return tf.data.Dataset.range(3).apply(interleaving)


def interleaved_no_dataset(tf):
    return tf.data.Dataset.range(3).apply(tf.data.experimental.parallel_interleave(lambda x: x, 2))


def interleaved_zero(tf):
    return tf.data.Dataset.range(3).apply(
        tf.data.experimental.parallel_interleave(lambda x: tf.data.Dataset.range(x), 0)
    )


def interleaved_in_v2(tf):
    interleaving = tf.data.experimental.parallel_interleave(lambda x: tf.compat.v2.data.Dataset.range(x), 1)
    return tf.compat.v2.data.Dataset.range(4).apply(interleaving).map(lambda x: x + 1)


def _classes(tf):
    return tf.data.Dataset.from_tensor_slices(np.array([0, 1, 0, 0, 1, 0, 0, 0] * 4, np.int32))


def resampled(tf):
    resampling = tf.data.experimental.rejection_resample(lambda c: c, [0.5, 0.5], initial_dist=[0.75, 0.25], seed=3)
    return _classes(tf).apply(resampling)


def resampled_estimated(tf):
    resampling = tf.data.experimental.rejection_resample(lambda c: c, target_dist=[0.5, 0.5], seed=3)
    return _classes(tf).apply(resampling)


def resampled_placeholder(tf):
    initial = tf.placeholder_with_default(np.array([0.75, 0.25], np.float32), [2])
    resampling = tf.data.experimental.rejection_resample(lambda c: c, [0.5, 0.5], initial, seed=3)
    return _classes(tf).apply(resampling)


def resampled_never_kept(tf):
    resampling = tf.data.experimental.rejection_resample(lambda c: c, [0.0, 1.0], [0.75, 0.25], seed=3)
    return _classes(tf).apply(resampling)


def resampled_all_kept(tf):
    resampling = tf.data.experimental.rejection_resample(lambda c: c, [0.75, 0.25], [0.75, 0.25], seed=3)
    return _classes(tf).apply(resampling)


def resampled_pairs(tf):
    pairs = tf.data.Dataset.from_tensor_slices((["a", "b", "c", "d"], np.array([0, 1, 1, 2], np.int32)))
    resampling = tf.data.experimental.rejection_resample(
        lambda text, cls: cls, np.array([0.2, 0.4, 0.4]), np.array([0.25, 0.5, 0.25]), seed=3
    )
    return pairs.apply(resampling)
