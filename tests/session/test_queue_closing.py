"""Closing a queue or its session: the remaining elements, and waiting operations."""

import pytest
from waiting_steps import InThread, first_line, wait_until

import tinytf as tf


def test_a_closed_queue_is_drained():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    put, one, many, up_to, closing = q.enqueue(1.0), q.dequeue(), q.dequeue_many(2), q.dequeue_up_to(2), q.close()
    with tf.Session() as sess:
        for _ in range(2):
            sess.run(put)
        assert not sess.run(q.is_closed())
        sess.run(closing)
        assert sess.run(q.is_closed())
        assert sess.run(one) == 1
        with pytest.raises(
            tf.errors.OutOfRangeError, match=r"_\d+_fifo_queue' is closed and has insufficient elements"
        ):
            sess.run(many)
        assert sess.run(up_to).tolist() == [1]
        with pytest.raises(tf.errors.OutOfRangeError, match=r"\(requested 2, current size 0\)"):
            sess.run(up_to)
        with pytest.raises(tf.errors.CancelledError, match=r"^FIFOQueue '_\d+_fifo_queue' is closed.\n"):
            sess.run(put)
        with pytest.raises(tf.errors.CancelledError, match=r"^Queue '_\d+_fifo_queue' is already closed.\n"):
            sess.run(closing)
        sess.run(q.close(cancel_pending_enqueues=True))


def test_closing_ends_a_waiting_dequeue_which_loses_nothing():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    size = q.size()
    with tf.Session() as sess:
        sess.run(q.enqueue_many([[1.0, 2.0]]))
        waiting = InThread(sess.run, q.dequeue_many(3))
        wait_until(sess, size, 0)
        sess.run(q.close())
        assert isinstance(waiting.outcome(), tf.errors.OutOfRangeError)
        assert sess.run(q.dequeue_up_to(3)).tolist() == [1, 2]


def test_closing_waits_for_pending_enqueues():
    q = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    out, closed = q.dequeue(), q.is_closed()
    with tf.Session() as sess:
        pending = InThread(sess.run, q.enqueue_many([[1.0, 2.0]]))
        wait_until(sess, q.size(), 1)
        closing = InThread(sess.run, q.close())
        assert sess.run(out) == 1
        assert pending.outcome() is None and closing.outcome() is None
        assert sess.run(closed) and sess.run(out) == 2


def test_closing_may_cancel_pending_enqueues():
    q = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    with tf.Session() as sess:
        pending = InThread(sess.run, q.enqueue_many([[1.0, 2.0]]))
        wait_until(sess, q.size(), 1)
        sess.run(q.close(cancel_pending_enqueues=True))
        error = pending.outcome()
        assert isinstance(error, tf.errors.CancelledError) and first_line(error) == "Enqueue operation was cancelled"
        assert sess.run(q.dequeue()) == 1


def test_closing_the_session_cancels_what_waits():
    full, empty = tf.FIFOQueue(1, tf.float32, shapes=[[]]), tf.FIFOQueue(1, tf.float32, shapes=[[]])
    sess = tf.Session()
    sess.run(empty.enqueue(1.0))
    enqueue = InThread(sess.run, full.enqueue_many([[1.0, 2.0]]))
    dequeue = InThread(sess.run, empty.dequeue_many(2))
    wait_until(sess, full.size(), 1)
    wait_until(sess, empty.size(), 0)
    sess.close()
    for thread, text in [(enqueue, "Enqueue operation was cancelled"), (dequeue, "Dequeue operation was cancelled")]:
        error = thread.outcome()
        assert isinstance(error, tf.errors.CancelledError) and first_line(error) == text
