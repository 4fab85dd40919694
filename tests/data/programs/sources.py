"""Datasets of tensors and numbers, and their specifications."""

import collections

import numpy as np


def range_stop(tf):
    return tf.data.Dataset.range(4)


def range_start_stop(tf):
    return tf.data.Dataset.range(2, 5)


def range_step(tf):
    return tf.data.Dataset.range(10, 1, -3)


def range_of_tensors(tf):
    return tf.data.Dataset.range(tf.constant(1, tf.int64), tf.constant(7, tf.int64), 2)


def range_without_arguments(tf):
    return tf.data.Dataset.range()


def range_with_four(tf):
    return tf.data.Dataset.range(1, 2, 3, 4)


def range_of_floats(tf):
    return tf.data.Dataset.range(1.5)


def tensors_scalar(tf):
    return tf.data.Dataset.from_tensors(3)


def tensors_list(tf):
    return tf.data.Dataset.from_tensors([1.0, 2.0])


def tensors_array(tf):
    return tf.data.Dataset.from_tensors(np.arange(6.0).reshape(2, 3))


def tensors_text(tf):
    return tf.data.Dataset.from_tensors("text")


def tensors_nested(tf):
    return tf.data.Dataset.from_tensors({"b": ([1, 2], np.float64(2.5)), "a": (np.zeros([2, 0], np.int16),)})


def tensors_ordered(tf):
    return tf.data.Dataset.from_tensors(collections.OrderedDict([("b", 1), ("a", 2)]))


_Pair = collections.namedtuple("_Pair", ["first", "second"])


def tensors_namedtuple(tf):
    return tf.data.Dataset.from_tensors(_Pair(1, [2, 3]))


def tensors_list_of_tensors(tf):
    return tf.data.Dataset.from_tensors([tf.constant(1), tf.constant(2)])


def tensors_placeholder(tf):
    return tf.data.Dataset.from_tensors((tf.placeholder_with_default([1, 2], [None]), tf.constant(True)))


def tensors_sparse(tf):
    return tf.data.Dataset.from_tensors(tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3]))


def tensors_sparse_value(tf):
    return tf.data.Dataset.from_tensors((tf.SparseTensorValue([[0, 1]], [5], [2, 3]), 1))


def tensors_ragged_list(tf):
    return tf.data.Dataset.from_tensors([[1, 2], [3]])


def tensors_none(tf):
    return tf.data.Dataset.from_tensors(None)


def tensors_object(tf):
    return tf.data.Dataset.from_tensors({"a": object})


def slices_list(tf):
    return tf.data.Dataset.from_tensor_slices([1, 2, 3])


def slices_array(tf):
    return tf.data.Dataset.from_tensor_slices(np.arange(12, dtype=np.float32).reshape(3, 4))


def slices_nested(tf):
    return tf.data.Dataset.from_tensor_slices(({"x": [1, 2], "y": ["a", "b"]}, np.ones([2, 2], np.int8)))


def slices_empty(tf):
    return tf.data.Dataset.from_tensor_slices(np.zeros([0, 3], np.float32))


def slices_sparse(tf):
    return tf.data.Dataset.from_tensor_slices((tf.SparseTensor([[0, 1], [1, 0], [1, 2]], [1, 2, 3], [3, 3]), [1, 2, 3]))


def slices_sparse_of_batches(tf):
    return tf.data.Dataset.from_tensor_slices(tf.SparseTensor([[0, 1, 0], [1, 0, 1]], ["a", "b"], [2, 3, 2]))


def slices_unknown(tf):
    return tf.data.Dataset.from_tensor_slices(tf.placeholder_with_default([[1], [2]], [None, None]))


def slices_of_a_scalar(tf):
    return tf.data.Dataset.from_tensor_slices(3)


def slices_of_different_lengths(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2], [1, 2, 3]))


def slices_of_unequal_lengths_at_run_time(tf):
    return tf.data.Dataset.from_tensor_slices(([1, 2], tf.placeholder_with_default([1, 2, 3], [None])))


def slices_of_a_sparse_scalar(tf):
    return tf.data.Dataset.from_tensor_slices(tf.SparseTensor(np.zeros([1, 0], np.int64), [1], np.zeros([0], np.int64)))


def sparse_slices(tf):
    return tf.data.Dataset.from_sparse_tensor_slices(tf.SparseTensor([[0, 1], [2, 0], [2, 2]], [1, 2, 3], [4, 3]))


def sparse_slices_of_rank_three(tf):
    sparse = tf.SparseTensor([[0, 1, 0], [0, 1, 1], [1, 0, 0]], ["a", "b", "c"], [2, 2, 2])
    return tf.data.Dataset.from_sparse_tensor_slices(sparse)


def sparse_slices_of_a_tensor(tf):
    return tf.data.Dataset.from_sparse_tensor_slices([1])


def two_of_a_kind(tf):
    first = tf.data.Dataset.from_tensors(1)
    return tf.data.Dataset.zip((first, tf.data.Dataset.from_tensors(2), tf.data.Dataset.range(3)))


def zip_dict(tf):
    return tf.data.Dataset.zip({"b": tf.data.Dataset.range(3), "a": tf.data.Dataset.from_tensor_slices(["x", "y"])})


def zip_nested(tf):
    numbers = tf.data.Dataset.range(2)
    return tf.data.Dataset.zip((numbers, (numbers, {"k": numbers})))


def zip_one(tf):
    return tf.data.Dataset.zip(tf.data.Dataset.range(2))


def zip_list(tf):
    return tf.data.Dataset.zip([tf.data.Dataset.range(2), tf.data.Dataset.range(2)])


def zip_numbers(tf):
    return tf.data.Dataset.zip((1, 2))


def concatenate(tf):
    return tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(5, 7))


def concatenate_shapes(tf):
    one = tf.data.Dataset.from_tensors(([1.0, 2.0], [[1]]))
    return one.concatenate(tf.data.Dataset.from_tensors(([3.0], [[2]])))


def concatenate_ranks(tf):
    return tf.data.Dataset.from_tensors([1]).concatenate(tf.data.Dataset.from_tensors([[2]]))


def concatenate_types(tf):
    return tf.data.Dataset.range(2).concatenate(tf.data.Dataset.from_tensors("a"))


def concatenate_structures(tf):
    return tf.data.Dataset.range(2).concatenate(tf.data.Dataset.from_tensors((1, 2)))


def concatenate_classes(tf):
    one = tf.data.Dataset.from_tensors(tf.SparseTensor([[0]], [1], [2]))
    return one.concatenate(tf.data.Dataset.from_tensors([1]))


def concatenate_sparse(tf):
    one = tf.data.Dataset.from_tensors(tf.SparseTensor([[0]], [1], [2]))
    return one.concatenate(tf.data.Dataset.from_tensors(tf.SparseTensor([[1]], [3], [3])))


def enumerate_from_zero(tf):
    return tf.data.Dataset.from_tensor_slices(["a", "b"]).enumerate()


def enumerate_from(tf):
    return tf.data.Dataset.from_tensor_slices(["a", "b"]).enumerate(start=5)
