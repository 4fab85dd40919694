"""Conditional accumulators behave as in TensorFlow 1.15.5; a step waiting for gradients blocks no thread."""

import concurrent.futures

import accumulator_programs
import pytest
from recorded import recorded

import tinytf as tf

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    accumulator_programs, "accumulators_of_1_15.json"
)


def test_what_waits_gets_the_gradients_that_come():
    """A waiting take gets all gradients applied before it starts, so more may be needed for the next."""
    with tf.Session() as session, concurrent.futures.ThreadPoolExecutor() as pool:
        sums = tf.ConditionalAccumulator(tf.float32, shape=[])
        take, apply = sums.take_grad(2), sums.apply_grad(3.0, 100)
        waiting = {pool.submit(session.run, take) for _ in range(2)}
        while waiting:
            for _ in range(2):
                session.run(apply)
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            assert [each.result() for each in done] == [3.0] * len(done)


def test_a_timeout_ends_what_waits():
    with tf.Session() as session:
        sums = tf.ConditionalAccumulator(tf.float32, shape=[])
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(sums.take_grad(1), options=tf.RunOptions(timeout_in_ms=20))
        session.run(sums.apply_grad(1.0))
        assert session.run(sums.take_grad(1)) == 1.0


def test_gradients_of_other_types_and_steps_of_other_shapes_are_refused():
    """These are errors, whereas TensorFlow crashes."""
    with tf.Session() as session:
        sums = tf.ConditionalAccumulator(tf.float32, shape=[])
        step = tf.placeholder(tf.int64)
        raw = tf.raw_ops
        wide = raw.ResourceAccumulatorApplyGradient(
            handle=sums.accumulator_ref, local_step=0, gradient=tf.constant(1.0, tf.float64)
        )
        taken = raw.ResourceAccumulatorTakeGradient(handle=sums.accumulator_ref, num_required=1, dtype=tf.float64)
        for op in [wide, taken]:
            with pytest.raises(tf.errors.InvalidArgumentError, match="Expected a gradient of type float, got double"):
                session.run(op)
        for op in [sums.apply_grad(1.0, step), sums.set_global_step(step)]:
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"must be scalar, but had bad shape \[2\]"):
                session.run(op, {step: [1, 2]})


def test_accumulators_of_two_types_are_not_shared():
    with tf.Session() as session:
        session.run(tf.ConditionalAccumulator(tf.float32, shape=[], shared_name="a").apply_grad(1.0))
        other = tf.ConditionalAccumulator(tf.float64, shape=[], shared_name="a")
        with pytest.raises(tf.errors.InvalidArgumentError, match="has type float but requested type was double"):
            session.run(other.num_accumulated())


@pytest.mark.parametrize("kind", [tf.ConditionalAccumulator, tf.SparseConditionalAccumulator])
def test_the_step_after_the_largest_is_the_smallest(kind):
    largest = 2**63 - 1
    sums = kind(tf.float32, shape=[2])
    gradient = (
        tf.ones([2])
        if kind is tf.ConditionalAccumulator
        else tf.IndexedSlices(tf.ones([1]), tf.constant([0], tf.int64))
    )
    apply = sums.apply_grad if kind is tf.ConditionalAccumulator else sums.apply_indexed_slices_grad
    taken = sums.take_grad(1) if kind is tf.ConditionalAccumulator else sums.take_indexed_slices_grad(1)
    with tf.Session() as session:
        session.run(sums.set_global_step(largest))
        session.run(apply(gradient, local_step=0))
        assert session.run(sums.num_accumulated()) == 0  # stale gradients are dropped
        session.run(apply(gradient, local_step=largest))
        session.run(taken)
        session.run(apply(gradient, local_step=-largest))
        assert session.run(sums.num_accumulated()) == 1
