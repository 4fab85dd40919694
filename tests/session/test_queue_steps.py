"""Steps with waiting queue operations block no thread, can end early without harm, and may wait for each other."""

import threading

import pytest

import tinytf as tf


def _queue(capacity=100):
    return tf.FIFOQueue(capacity, tf.float32, shapes=[[]])


def test_a_step_may_wait_for_itself():
    q = _queue()
    out, put = q.dequeue_many(3), q.enqueue_many([[1.0, 2.0, 3.0]])
    with tf.Session() as sess:
        for _ in range(20):
            assert sess.run([out, put])[0].tolist() == [1, 2, 3]


def test_more_operations_wait_than_there_are_threads():
    q = _queue()
    outs = [q.dequeue() for _ in range(100)]
    put = q.enqueue_many([[float(i) for i in range(100)]])
    with tf.Session() as sess:
        assert sorted(sess.run([*outs, put])[:-1]) == list(range(100))


def test_a_step_that_times_out_leaves_the_queue_as_it_was():
    q, full = _queue(), _queue(1)
    put, one, many, size = q.enqueue_many([[1.0, 2.0]]), q.dequeue(), q.dequeue_many(3), q.size()
    options = tf.RunOptions(timeout_in_ms=20)
    with tf.Session() as sess:
        for _ in range(2):
            with pytest.raises(tf.errors.DeadlineExceededError):
                sess.run(one, options=options)
        sess.run(put)
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(many, options=options)
        assert sess.run(size) == 2
        assert [sess.run(one), sess.run(one)] == [1, 2]
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(full.enqueue_many([[1.0, 2.0]]), options=options)
        assert sess.run(full.size()) == 1
        sess.run(put)  # the queue itself is not cancelled
        assert sess.run(one) == 1


def test_a_failure_elsewhere_in_the_step_ends_the_wait():
    q = _queue()
    never, fails = q.dequeue(), tf.Assert(tf.equal(tf.placeholder_with_default(1, []), 2), ["no"])
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
            sess.run([never, fails])
        sess.run(q.enqueue(5.0))
        assert sess.run(never) == 5


def test_waiting_steps_are_served_in_the_order_in_which_they_came():
    q = _queue()
    out, put, waiting = q.dequeue_many(2), q.enqueue(1.0), q.size()
    results = []
    with tf.Session() as sess:

        def take():
            results.append(sess.run(out).tolist())

        sess.run(put)
        first = threading.Thread(target=take)
        first.start()
        while sess.run(waiting) > 0:  # until it has taken the single element
            pass
        sess.run(q.enqueue_many([[2.0, 3.0, 4.0]]))
        second = threading.Thread(target=take)
        second.start()
        first.join()
        second.join()
    assert sorted(results) == [[1, 2], [3, 4]]


def test_callables_may_wait():
    q = _queue(2)
    x = tf.placeholder(tf.float32, [])
    with tf.Session() as sess:
        put, take = sess.make_callable(q.enqueue(x), [x]), sess.make_callable(q.dequeue())
        producer = threading.Thread(target=lambda: [put(float(i)) for i in range(200)])
        producer.start()
        assert [take() for _ in range(200)] == list(range(200))
        producer.join()
