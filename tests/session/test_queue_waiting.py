"""Steps that enqueue and dequeue, whichever has to wait."""

import numpy as np
from waiting_steps import InThread

import tinytf as tf


def test_a_dequeue_waits_for_an_element():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    one, many, put = q.dequeue(), q.dequeue_many(5), q.enqueue_many([[1.0, 2.0, 3.0]])
    with tf.Session() as sess:
        waiting = InThread(sess.run, one)
        sess.run(put)
        assert waiting.outcome() == 1
        waiting = InThread(sess.run, many)
        sess.run(put)
        assert waiting.outcome().tolist() == [2, 3, 1, 2, 3]


def test_an_enqueue_waits_for_room():
    q = tf.FIFOQueue(2, tf.float32, shapes=[[]])
    out = q.dequeue()
    with tf.Session() as sess:
        waiting = InThread(sess.run, q.enqueue_many([[1.0, 2.0, 3.0, 4.0]]))
        assert [sess.run(out) for _ in range(4)] == [1, 2, 3, 4]
        assert waiting.outcome() is None


def test_many_producers_and_consumers():
    q = tf.FIFOQueue(5, tf.int32, shapes=[[]])
    x = tf.placeholder(tf.int32, [])
    put, one, three = q.enqueue(x), q.dequeue(), q.dequeue_many(3)
    with tf.Session() as sess:

        def produce(first):
            for value in range(first, first + 60):
                sess.run(put, {x: value})

        def consume(fetch, times):
            return np.concatenate([np.atleast_1d(sess.run(fetch)) for _ in range(times)])

        producers = [InThread(produce, first) for first in (0, 60, 120)]
        consumers = [InThread(consume, one, 60), InThread(consume, three, 20), InThread(consume, three, 20)]
        for thread in producers:
            assert thread.outcome() is None
        assert sorted(np.concatenate([thread.outcome() for thread in consumers])) == list(range(180))
