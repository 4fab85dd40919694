"""Parts, repetitions and batches of elements."""

import numpy as np


def repeat_without_end(tf):
    return tf.data.Dataset.range(2).repeat()


def repeat_twice(tf):
    return tf.data.Dataset.range(3).repeat(2)


def repeat_zero(tf):
    return tf.data.Dataset.range(3).repeat(0)


def repeat_nothing(tf):
    return tf.data.Dataset.range(0).repeat()


def repeat_tensor(tf):
    return tf.data.Dataset.range(2).repeat(tf.placeholder_with_default(tf.constant(2, tf.int64), []))


def repeat_int32(tf):
    return tf.data.Dataset.range(2).repeat(tf.constant(2))


def repeat_text(tf):
    return tf.data.Dataset.range(2).repeat("2")


def take(tf):
    return tf.data.Dataset.range(5).take(2)


def take_all(tf):
    return tf.data.Dataset.range(3).take(-1)


def take_more(tf):
    return tf.data.Dataset.range(3).take(9)


def take_none(tf):
    return tf.data.Dataset.range(3).take(0)


def skip(tf):
    return tf.data.Dataset.range(5).skip(2)


def skip_all(tf):
    return tf.data.Dataset.range(5).skip(-1)


def skip_more(tf):
    return tf.data.Dataset.range(5).skip(6)


def shard(tf):
    return tf.data.Dataset.range(10).shard(3, 1)


def shard_index_too_large(tf):
    return tf.data.Dataset.range(10).shard(3, 3)


def shard_none(tf):
    return tf.data.Dataset.range(10).shard(0, 0)


def shard_negative(tf):
    return tf.data.Dataset.range(10).shard(2, -1)


def batch(tf):
    return tf.data.Dataset.range(5).batch(2)


def batch_drops(tf):
    return tf.data.Dataset.range(5).batch(2, drop_remainder=True)


def batch_drops_tensor(tf):
    return tf.data.Dataset.range(5).batch(tf.constant(2, tf.int64), drop_remainder=tf.constant(True))


def batch_unknown(tf):
    size = tf.placeholder_with_default(tf.constant(3, tf.int64), [])
    return tf.data.Dataset.range(5).batch(size, drop_remainder=tf.placeholder_with_default(True, []))


def batch_nested(tf):
    return tf.data.Dataset.from_tensor_slices(
        {"a": np.ones([3, 2]), "b": (["x", "y", "z"], [True, False, True])}
    ).batch(2)


def batch_of_batches(tf):
    return tf.data.Dataset.range(8).batch(2).batch(3)


def batch_zero(tf):
    return tf.data.Dataset.range(5).batch(0)


def batch_sparse(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0], [2, 2]], [1, 2, 3], [3, 3])
    return tf.data.Dataset.from_tensor_slices((sparse, [1, 2, 3])).batch(2)


def batch_sparse_twice(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0], [2, 2]], [1, 2, 3], [3, 3])
    return tf.data.Dataset.from_tensor_slices(sparse).batch(2).batch(2)


def batch_different_shapes(tf):
    return tf.data.Dataset.from_tensors([1]).concatenate(tf.data.Dataset.from_tensors([1, 2])).batch(2)


def batch_text(tf):
    return tf.data.Dataset.range(5).batch("a")


def _uneven(tf):
    return tf.data.Dataset.range(1, 5).map(lambda x: tf.fill([x], x))


def padded_batch(tf):
    return _uneven(tf).padded_batch(2, [None])


def padded_batch_fixed(tf):
    return _uneven(tf).padded_batch(2, [5])


def padded_batch_drops(tf):
    return _uneven(tf).take(3).padded_batch(2, padded_shapes=tf.TensorShape([None]), drop_remainder=True)


def padded_batch_value(tf):
    return _uneven(tf).padded_batch(3, [-1], padding_values=tf.constant(-7, tf.int64))


def padded_batch_nested(tf):
    elements = _uneven(tf).map(lambda x: {"a": x, "b": (tf.as_string(x), tf.cast(x, tf.float32))})
    return elements.padded_batch(2, {"a": [4], "b": ([None], [None])}, {"a": tf.constant(9, tf.int64), "b": ("-", 0.5)})


def padded_batch_matrix(tf):
    return _uneven(tf).map(lambda x: tf.reshape(x, [-1, 1])).padded_batch(2, [None, 3])


def padded_batch_scalars(tf):
    return tf.data.Dataset.range(3).padded_batch(2, [])


def padded_batch_tensor_shape(tf):
    return _uneven(tf).padded_batch(2, tf.constant([6], tf.int64))


def padded_batch_unknown_shape(tf):
    return _uneven(tf).padded_batch(2, tf.placeholder_with_default(tf.constant([6], tf.int64), [1]))


def padded_batch_unknown_drop(tf):
    return _uneven(tf).padded_batch(2, [None], drop_remainder=tf.placeholder_with_default(True, []))


def padded_batch_too_small(tf):
    return _uneven(tf).padded_batch(2, [1])


def padded_batch_wrong_rank(tf):
    return tf.data.Dataset.from_tensors([1]).padded_batch(2, [1, 1])


def padded_batch_incompatible(tf):
    return tf.data.Dataset.from_tensors([1, 2]).padded_batch(2, [1])


def padded_batch_value_type(tf):
    return _uneven(tf).padded_batch(2, [None], padding_values=0.5)


def padded_batch_value_vector(tf):
    return _uneven(tf).padded_batch(2, [None], padding_values=tf.constant([1], tf.int64))


def padded_batch_sparse(tf):
    return tf.data.Dataset.from_tensors(tf.SparseTensor([[0]], [1], [2])).padded_batch(2, [None])


def padded_batch_structure(tf):
    return _uneven(tf).padded_batch(2, ([None], [None]))


def padded_batch_shape_type(tf):
    return _uneven(tf).padded_batch(2, tf.constant([6]))


def padded_batch_shape_matrix(tf):
    return _uneven(tf).padded_batch(2, tf.constant([[6]], tf.int64))


def window(tf):
    return tf.data.Dataset.range(5).window(2).flat_map(lambda part: part.batch(2))


def window_shift(tf):
    return tf.data.Dataset.range(7).window(3, shift=2, stride=2).flat_map(lambda part: part.batch(3))


def window_drops(tf):
    return tf.data.Dataset.range(5).window(2, drop_remainder=True).flat_map(lambda part: part.batch(2))


def window_nested(tf):
    pairs = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    return pairs.window(2).flat_map(lambda part: tf.data.Dataset.zip((part["a"].batch(2), part["b"].batch(2))))


def window_sparse(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0], [2, 2]], [1, 2, 3], [3, 3])
    return tf.data.Dataset.from_tensor_slices(sparse).window(2).flat_map(lambda part: part.batch(2))


def window_zero(tf):
    return tf.data.Dataset.range(5).window(0).flat_map(lambda part: part)


def unbatch(tf):
    return tf.data.Dataset.range(5).batch(2).unbatch()


def unbatch_nested(tf):
    return tf.data.Dataset.from_tensors({"a": [1, 2], "b": [[1.0], [2.0]]}).unbatch()


def unbatch_sparse(tf):
    return tf.data.Dataset.from_tensors((tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3]), [1, 2])).unbatch()


def unbatch_scalars(tf):
    return tf.data.Dataset.range(2).unbatch()


def unbatch_sizes(tf):
    return tf.data.Dataset.from_tensors(([1, 2], [1, 2, 3])).unbatch()


def unbatch_unknown_sizes(tf):
    sizes = tf.placeholder_with_default([1, 2, 3], [None])
    return tf.data.Dataset.from_tensors(([1, 2], sizes)).unbatch()


def shuffle(tf):
    return tf.data.Dataset.range(10).shuffle(4, seed=1)


def shuffle_repeat(tf):
    return tf.data.Dataset.range(5).shuffle(10, seed=3).repeat(3)


def shuffle_repeat_same(tf):
    return tf.data.Dataset.range(5).shuffle(10, seed=3, reshuffle_each_iteration=False).repeat(3)


def shuffle_graph_seed(tf):
    tf.set_random_seed(7)
    return tf.data.Dataset.range(10).shuffle(5)


def shuffle_both_seeds(tf):
    tf.set_random_seed(7)
    return tf.data.Dataset.range(10).shuffle(5, seed=2)


def shuffle_zero_seeds(tf):
    tf.set_random_seed(0)
    return tf.data.Dataset.range(10).shuffle(5, seed=0)


def shuffle_tensor_seed(tf):
    return tf.data.Dataset.range(10).shuffle(5, seed=tf.constant(4, tf.int64))


def shuffle_one(tf):
    return tf.data.Dataset.range(4).shuffle(1)


def shuffle_zero(tf):
    return tf.data.Dataset.range(4).shuffle(0, seed=1)


def repeat_shuffle(tf):
    return tf.data.Dataset.range(4).repeat(3).shuffle(6, seed=5)


def cache(tf):
    return tf.data.Dataset.range(3).cache().repeat(2)


def cache_file(tf, folder):
    return tf.data.Dataset.range(3).cache(folder + "/kept").repeat(2)


def prefetch(tf):
    return tf.data.Dataset.range(4).prefetch(2)


def prefetch_none(tf):
    return tf.data.Dataset.range(4).prefetch(None)


def prefetch_negative(tf):
    return tf.data.Dataset.range(4).prefetch(-2)


def prefetch_autotune(tf):
    return tf.data.Dataset.range(4).prefetch(tf.data.experimental.AUTOTUNE)
