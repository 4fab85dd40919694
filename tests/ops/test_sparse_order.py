"""SparseReorder and functions that use it."""

import numpy as np
import pytest

import tinytf as tf


def _fed(session, indices, values, shape):
    types = (tf.int64, tf.float32, tf.int64)
    inputs = [tf.placeholder(dtype) for dtype in types]
    reordered = tf.raw_ops.SparseReorder(input_indices=inputs[0], input_values=inputs[1], input_shape=inputs[2])
    return session.run(list(reordered), dict(zip(inputs, (indices, values, shape), strict=True)))


@pytest.mark.parametrize("rank", range(4))
@pytest.mark.parametrize("count", [0, 1, 50])
def test_elements_come_in_the_order_of_their_indices(rank, count):
    rng = np.random.default_rng(rank + count)
    indices, values = rng.integers(0, 5, (count, rank)), rng.random(count).astype(np.float32)
    order = sorted(range(count), key=lambda i: tuple(indices[i]))
    with tf.Session() as session:
        found = _fed(session, indices, values, [5] * rank)
    assert np.array_equal(found[0], indices[order])
    assert np.array_equal(found[1], values[order])


@pytest.mark.parametrize(
    ("indices", "values", "shape", "message"),
    [
        ([[1, 2]], [1], [3, 3, 3], "Order length must be SparseTensor rank."),
        ([[1, 2]], [1], [[3, 3]], "Input shape should be a vector but received shape [1,2]"),
        ([1], [1], [3], "Input indices should be a matrix but received shape [1]"),
        ([[1]], [[1]], [3], "Input values should be a vector but received shape [1,1]"),
        ([[1], [2]], [1], [3], "indices and values rows (indexing dimension) must match. (indices = 2, values = 1)"),
    ],
)
def test_what_does_not_fit_is_told_as_in_tensorflow(indices, values, shape, message):
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        _fed(session, indices, values, shape)
    assert caught.value.message.startswith(message)


def test_gradients_go_back_to_where_the_values_were():
    values = tf.placeholder(tf.float32, [3])
    reordered = tf.sparse_reorder(tf.SparseTensor([[2], [0], [1]], values, [3]))
    gradient = tf.gradients(reordered.values * [1.0, 2.0, 3.0], values)[0]
    with tf.Session() as session:
        assert session.run(gradient, {values: [5.0, 6.0, 7.0]}).tolist() == [3.0, 1.0, 2.0]


def test_merged_values_have_the_indices_that_others_say():
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [3, 1, 2], [2, 2])
    values = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["c", "a", "b"], [2, 2])
    with tf.Session() as session:
        merged = session.run(tf.sparse_merge(ids, values, 4))
    assert merged.indices.tolist() == [[0, 1], [0, 3], [1, 2]]
    assert merged.values.tolist() == [b"a", b"c", b"b"]
    assert merged.dense_shape.tolist() == [2, 4]
    with pytest.raises(TypeError, match="vocab_size has to be a list"):
        tf.sparse_merge([ids], values, 4)
    with pytest.raises(ValueError, match="equal lengths"):
        tf.sparse_merge([ids], values, [4, 5])
    with pytest.raises(TypeError, match="Input must be a SparseTensor"):
        tf.sparse_merge(ids, [1], 4)
