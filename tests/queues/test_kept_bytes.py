"""Containers keep only the bytes of their elements, not the batch that they came in, by the session's own count."""

import pytest

import tinytf as tf
from tinytf.python.ops.data_flow_ops import Barrier, MapStagingArea, StagingArea

ROWS, WIDTH = 500, 256
ELEMENT = WIDTH * 4 + 64  # bytes charged for a row of floats, including the header of its block

_SHAPES = {"shapes": [[WIDTH]]}
_QUEUES = {
    "first_in_first_out": lambda: tf.FIFOQueue(ROWS, tf.float32, **_SHAPES),
    "padding": lambda: tf.PaddingFIFOQueue(ROWS, [tf.float32], **_SHAPES),
    "shuffling": lambda: tf.RandomShuffleQueue(ROWS, 0, tf.float32, **_SHAPES),
}


def _batch():
    return tf.random_uniform([ROWS, WIDTH], seed=1)


def _live(session):
    return session.memory_stats().live_bytes


@pytest.mark.parametrize("kind", _QUEUES)
def test_a_queue_keeps_the_rows_that_are_left(kind):
    with tf.Session() as session:
        queue = _QUEUES[kind]()
        session.run(queue.size())
        before = _live(session)
        session.run(queue.enqueue_many([_batch()]))
        assert _live(session) - before == ROWS * ELEMENT
        session.run(queue.dequeue_many(ROWS - 3).op)
        assert _live(session) - before == 3 * ELEMENT


def test_a_queue_of_priorities_keeps_the_rows_that_are_left():
    with tf.Session() as session:
        queue = tf.PriorityQueue(ROWS, [tf.float32], [[WIDTH]])
        session.run(queue.size())
        before = _live(session)
        session.run(queue.enqueue_many([tf.range(ROWS, dtype=tf.int64), _batch()]))
        session.run(queue.dequeue_many(ROWS - 3)[1].op)
        assert _live(session) - before == 3 * (ELEMENT + 64 + 64)


def test_a_queue_keeps_a_row_that_comes_alone():
    with tf.Session() as session:
        queue = tf.FIFOQueue(ROWS, tf.float32, **_SHAPES)
        session.run(queue.size())
        before = _live(session)
        session.run(queue.enqueue(_batch()[7]))
        assert _live(session) - before == ELEMENT


def test_a_barrier_keeps_the_rows_that_are_left():
    with tf.Session() as session:
        barrier = Barrier([tf.float32, tf.float32], shapes=[[WIDTH], [WIDTH]])
        keys = tf.constant([str(i) for i in range(ROWS)])
        session.run(barrier.ready_size())
        before = _live(session)
        session.run(barrier.insert_many(0, keys, _batch()))
        assert _live(session) - before == ROWS * ELEMENT
        session.run(barrier.insert_many(1, keys, _batch()))
        session.run(barrier.take_many(ROWS - 3).indices.op)
        assert _live(session) - before == 3 * 2 * ELEMENT


@pytest.mark.parametrize("ordered", [False, True])
def test_a_staging_map_keeps_what_was_put(ordered):
    with tf.Session() as session:
        area = MapStagingArea([tf.float32, tf.float32], ordered=ordered)
        session.run(area.size())
        before = _live(session)
        session.run(area.put(1, [_batch()[7]], [0]))
        assert _live(session) - before == ELEMENT
        session.run(area.put(1, [_batch()[8]], [1]))
        session.run(area.get(1, indices=[0])[1][0].op)
        assert _live(session) - before == ELEMENT


def test_a_staging_area_keeps_what_was_put():
    with tf.Session() as session:
        area = StagingArea([tf.float32])
        session.run(area.size())
        before = _live(session)
        session.run(area.put([_batch()[7]]))
        assert _live(session) - before == ELEMENT


def test_a_table_of_sparse_tensors_keeps_what_was_added():
    raw = tf.raw_ops
    with tf.Session() as session:
        rows = tf.placeholder(tf.int64, [])
        values = _batch()[7]
        indices = tf.stack([tf.range(rows), tf.zeros([rows], tf.int64)], axis=1)
        arguments = {"sparse_indices": indices, "sparse_values": values, "sparse_shape": [WIDTH, 2], "shared_name": "t"}
        add, add_rows = raw.AddSparseToTensorsMap(**arguments), raw.AddManySparseToTensorsMap(**arguments)
        handles = tf.placeholder(tf.int64, [None])
        take = raw.TakeManySparseFromTensorsMap(sparse_handles=handles, dtype=tf.float32, shared_name="t")
        before = _live(session)
        handle = session.run(add, {rows: WIDTH})
        assert _live(session) - before == ELEMENT + WIDTH * 16
        session.run(take[0].op, {handles: [handle]})
        taken = session.run(add_rows, {rows: WIDTH})[3:].copy()
        session.run(take[0].op, {handles: taken})
        assert _live(session) - before == 3 * 2 * (64 + 64)
