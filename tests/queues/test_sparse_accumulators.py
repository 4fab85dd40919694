"""Sparse accumulators refuse gradients that exceed their shape, and do not mix with dense ones."""

import concurrent.futures

import pytest

import tinytf as tf


def test_what_waits_gets_the_gradients_that_come(later):
    with tf.Session() as session:
        sums = tf.SparseConditionalAccumulator(tf.float32, shape=[3])
        take = sums.take_indexed_slices_grad(2).values
        apply = sums.apply_grad([1], [3.0], local_step=100)
        waiting = {later(session, take) for _ in range(2)}
        while waiting:
            for _ in range(2):
                session.run(apply)
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            assert [each.result().tolist() for each in done] == [[3.0]] * len(done)


def test_dense_and_sparse_gradients_do_not_mix():
    """Mixing is an error, whereas TensorFlow crashes."""
    raw = tf.raw_ops
    with tf.Session() as session:
        sparse = tf.SparseConditionalAccumulator(tf.float32, shared_name="s").accumulator_ref
        dense = raw.ConditionalAccumulator(dtype=tf.float32, shape=[1], shared_name="d")
        for op, text in [
            (
                raw.AccumulatorApplyGradient(handle=sparse, local_step=0, gradient=[1.0]),
                "a sparse gradient, got a dense",
            ),
            (raw.AccumulatorTakeGradient(handle=sparse, num_required=1, dtype=tf.float32), "a sparse gradient"),
            (raw.SparseAccumulatorTakeGradient(handle=dense, num_required=1, dtype=tf.float32), "a dense gradient"),
            (
                raw.ConditionalAccumulator(dtype=tf.float32, shape=[1], shared_name="s"),
                "has sparse gradients but dense",
            ),
            (
                raw.SparseAccumulatorTakeGradient(handle=sparse, num_required=1, dtype=tf.float64),
                "Expected a gradient of type float, got double",
            ),
        ]:
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                session.run([sparse.op, dense.op])
                session.run(op)


def test_a_gradient_that_fails_changes_nothing():
    with tf.Session() as session:
        sums = tf.SparseConditionalAccumulator(tf.float32, shape=[3, 2])
        indices, values = tf.placeholder(tf.int64), tf.placeholder(tf.float32)
        apply = sums.apply_grad(indices, values)
        session.run(apply, {indices: [1], values: [[1, 2]]})
        for fed in [
            {indices: [5], values: [[1, 2]]},
            {indices: [1, 2], values: [[1, 2]]},
            {indices: [0], values: [[1]]},
        ]:
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(apply, fed)
        taken = session.run(sums.take_grad(1))
        assert [part.tolist() for part in taken] == [[1], [[1.0, 2.0]], [3, 2]]
