"""Sequences fed by several threads end whenever the threads reach the end of the input; TensorFlow 1.15 may hang if
a step waits for segments at that moment.
"""

import pytest

import tinytf as tf

_LENGTHS = {b"a": 4, b"b": 7, b"c": 1, b"d": 3, b"e": 9}
_SUMS = {name: sum(range(length)) for name, length in _LENGTHS.items()}


def _trained(num_threads):
    """The final state of each sequence."""
    source = tf.FIFOQueue(10, [tf.string, tf.int32], [[], []])
    fill, done = source.enqueue_many([list(_LENGTHS), list(_LENGTHS.values())]), source.close()
    key, length = source.dequeue()
    batch = tf.contrib.training.batch_sequences_with_states(
        key,
        {"numbers": tf.range(length)},
        {},
        None,
        {"sum": tf.constant(0)},
        num_unroll=3,
        batch_size=2,
        num_threads=num_threads,
        capacity=3,
    )
    sums = batch.state("sum") + tf.reduce_sum(batch.sequences["numbers"], 1)
    step = [batch.next_key, sums, batch.save_state("sum", sums)]
    last = {}
    with tf.Session() as session:
        session.run(fill)
        session.run(done)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coord)
        with pytest.raises(tf.errors.OutOfRangeError, match="is closed and has insufficient elements"):
            while True:
                keys, values, _ = session.run(step)
                last.update({key[5:]: value for key, value in zip(keys, values.tolist()) if key.startswith(b"STOP:")})
        coord.request_stop()
        coord.join(threads)
    return last


@pytest.mark.parametrize("num_threads", [1, 3])
def test_all_sequences_come_to_their_end(num_threads):
    for _ in range(10):
        with tf.Graph().as_default():
            assert _trained(num_threads) == _SUMS


def test_closing_the_session_ends_what_waits_for_segments(later):
    saver = tf.contrib.training.SequenceQueueingStateSaver(
        1, 3, 3, "key", {"x": tf.zeros([3])}, {}, {"s": 0}, capacity=1
    )
    session = tf.Session()
    future = later(session, saver.next_batch.key)
    session.close()
    with pytest.raises((tf.errors.CancelledError, RuntimeError)):  # RuntimeError if the step started after the close
        future.result()


def test_examples_beyond_capacity_wait_without_a_thread(later):
    saver = tf.contrib.training.SequenceQueueingStateSaver(
        1,
        3,
        3,
        tf.as_string(tf.random_uniform([], 0, 1 << 30, tf.int32)),
        {"x": tf.zeros([3])},
        {},
        {"s": 0},
        capacity=1,
    )
    batch = saver.next_batch
    step = [batch.key, batch.state("s"), batch.save_state("s", batch.state("s"))]
    with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)) as session:
        session.run(saver.prefetch_op)
        future = later(session, saver.prefetch_op)
        session.run(step)
        future.result()
        assert session.run(saver.barrier.ready_size()) == 1
