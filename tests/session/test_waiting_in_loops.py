"""Waiting operations in branches and loops: plans stay compiled, no thread is blocked, and waits end with the step."""

import numpy as np
import pytest
from waiting_steps import InThread, wait_until

import tinytf as tf
from tinytf._src import protos

ONE_THREAD = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)


def _sum_of(queue, count):
    return tf.while_loop(lambda i, *_: i < count, lambda i, total: (i + 1, total + queue.dequeue()), [0, 0.0])[1]


def test_a_loop_that_another_step_feeds():
    queue = tf.FIFOQueue(3, tf.float32, shapes=[])
    x = tf.placeholder(tf.float32, [])
    total, enqueue = _sum_of(queue, 50), queue.enqueue(x)
    with tf.Session(config=ONE_THREAD) as sess:
        (loop,) = sess.plan_report(total).loops
        assert loop.is_compiled
        step = InThread(sess.run, total)
        for i in range(50):
            sess.run(enqueue, {x: i})
        assert step.outcome() == sum(range(50))


def test_two_loops_of_one_step():
    """One loop fills the queue that the other empties; they wait for each other in turn."""
    queue = tf.FIFOQueue(2, tf.float32, shapes=[])

    def put(i):
        with tf.control_dependencies([queue.enqueue(tf.cast(i, tf.float32))]):
            return tf.identity(i + 1)

    filled = tf.while_loop(lambda i: i < 100, put, [0])
    total = _sum_of(queue, 100)
    for config in (None, ONE_THREAD):
        with tf.Session(config=config) as sess:
            assert all(loop.is_compiled for loop in sess.plan_report([filled, total]).loops)
            assert sess.run([filled, total]) == [100, sum(range(100))]


def test_an_element_of_either_queue():
    queues = [tf.FIFOQueue(10, tf.float32, shapes=[]) for _ in range(2)]
    x, p = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.bool, [])
    element = tf.cond(p, queues[0].dequeue, queues[1].dequeue) + 1.0
    with tf.Session() as sess:
        sess.run([queue.enqueue_many([x + 10.0 * i]) for i, queue in enumerate(queues)], {x: [1.0, 2.0]})
        assert sess.run(element, {p: True}) == 2.0
        assert sess.run(element, {p: False}) == 12.0
        assert sess.run(element, {p: True}) == 3.0
        assert sess.run([queue.size() for queue in queues]) == [0, 1]


def test_a_branch_that_waits_does_not_keep_the_rest():
    """The branch waits for an element that another node of the same step enqueues."""
    queue = tf.FIFOQueue(1, tf.float32, shapes=[])
    p = tf.placeholder(tf.bool, [])
    element = tf.cond(p, queue.dequeue, lambda: 0.0)
    with tf.Session(config=ONE_THREAD) as sess:
        assert sess.run([element, queue.enqueue(5.0)], {p: True}) == [5.0, None]


@pytest.mark.parametrize("how", ["time limit", "close", "queue closed"])
def test_how_a_loop_that_waits_ends(how):
    queue = tf.FIFOQueue(3, tf.float32, shapes=[])
    total = _sum_of(queue, 10)
    close = queue.close(cancel_pending_enqueues=True)
    with tf.Session() as sess:
        sess.run(queue.enqueue_many([[1.0, 2.0]]))
        options = tf.RunOptions(timeout_in_ms=50) if how == "time limit" else None
        step = InThread(lambda: sess.run(total, options=options))
        wait_until(sess, queue.size(), 0)  # from here on it waits, or is about to
        if how == "close":
            sess.close()
        elif how == "queue closed":
            sess.run(close)
        error = step.outcome()
    kinds = {"time limit": tf.errors.DeadlineExceededError, "close": tf.errors.CancelledError}
    assert isinstance(error, kinds.get(how, tf.errors.OutOfRangeError))
    if how == "queue closed":
        assert "in iteration 2 of while/while_context" in error.message


def test_many_iterations_that_wait_for_nothing():
    """Available elements are taken without suspending, and the stack does not grow."""
    queue = tf.FIFOQueue(20_000, tf.float32, shapes=[])
    total = _sum_of(queue, 20_000)
    with tf.Session() as sess:
        sess.run(queue.enqueue_many([tf.ones([20_000])]))
        assert sess.run(total) == 20_000.0


def test_python_functions_in_loops():
    calls = []

    def note(i):
        calls.append(int(i))
        return i + np.int32(1)

    last = tf.while_loop(
        lambda i: i < 5, lambda i: tf.reshape(tf.py_func(note, [i], tf.int32), []), [0], parallel_iterations=1
    )
    with tf.Session() as sess:
        (loop,) = sess.plan_report(last).loops
        assert loop.is_compiled and sess.run(last) == 5
    assert calls == [0, 1, 2, 3, 4]


def test_readings_by_tokens():
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
    queue = tf.FIFOQueue(3, tf.float32, shapes=[])
    total = _sum_of(queue, 3)
    with tf.Session(config=config) as sess:
        (loop,) = sess.plan_report(total).loops
        assert not loop.is_compiled
        sess.run(queue.enqueue_many([[1.0, 2.0, 4.0]]))
        assert sess.run(total) == 7.0


def test_what_a_branch_does_is_what_another_operation_waits_for():
    """One branch contains both the effect that ends the wait and a consumer of the awaited value."""
    queue = tf.FIFOQueue(1, tf.float32, shapes=[])
    p = tf.placeholder(tf.bool, [])
    with tf.control_dependencies([tf.cond(p, lambda: tf.group(queue.enqueue(3.0)), tf.no_op)]):
        done = tf.constant(1.0)
    element = queue.dequeue()
    used = tf.cond(p, lambda: element * 2.0, lambda: element)
    with tf.Session(config=ONE_THREAD) as sess:
        assert sess.run([done, used], {p: True}) == [1.0, 6.0]
