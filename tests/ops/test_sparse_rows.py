"""Splitting a SparseTensor into as many rows as its shape claims fails before it takes memory for them."""

import pytest

import tinytf as tf


@pytest.mark.parametrize("split", ["SerializeManySparse", "AddManySparseToTensorsMap"])
def test_rows_that_no_memory_holds(split):
    raw = getattr(tf.raw_ops, split)
    with tf.Session() as session:
        shape = tf.placeholder(tf.int64, [2])
        indices, values = tf.constant([[0, 1]], tf.int64), tf.constant([1.0])
        rows = raw(sparse_indices=indices, sparse_values=values, sparse_shape=shape)
        assert session.run(rows, {shape: [3, 2]}).shape[0] == 3
        with pytest.raises((tf.errors.ResourceExhaustedError, tf.errors.InvalidArgumentError)):
            session.run(rows, {shape: [2**59, 2]})
