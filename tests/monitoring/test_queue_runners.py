"""Queue runners where TensorFlow 1.15 differs or fails."""

import pytest

import tinytf as tf


def test_no_kinds_of_errors():
    queue = tf.FIFOQueue(2, tf.float32)
    with pytest.raises(TypeError, match="must be a tuple of tf.error types, but saw"):
        tf.train.QueueRunner(queue, [queue.enqueue(1.0)], queue_closed_exception_types=())


def test_a_queue_that_the_graph_lacks():
    queue = tf.FIFOQueue(2, tf.float32, name="q")
    message = tf.train.QueueRunner(queue, [queue.enqueue(1.0)]).to_proto()
    with pytest.raises(KeyError, match="'b/q'"):
        tf.train.QueueRunner.from_proto(message, "b")


def test_threads_of_a_session_that_is_closed_end():
    queue = tf.FIFOQueue(2, tf.float32)
    runner = tf.train.QueueRunner(queue, [queue.enqueue(1.0)] * 4)
    coordinator = tf.train.Coordinator()
    with tf.Session() as sess:
        threads = runner.create_threads(sess, coordinator, start=True)
        sess.run(queue.dequeue())
    with pytest.raises((tf.errors.CancelledError, RuntimeError)):
        coordinator.join(threads, stop_grace_period_secs=10)


def test_many_threads_of_many_sessions():
    source = tf.FIFOQueue(100, tf.int32)
    queue = tf.FIFOQueue(5, tf.int32)
    fill, close = source.enqueue_many([list(range(100))]), source.close()
    runner = tf.train.QueueRunner(queue, [queue.enqueue(source.dequeue())] * 8)
    element = queue.dequeue()
    for _ in range(5):
        with tf.Session() as sess:
            coordinator = tf.train.Coordinator()
            threads = runner.create_threads(sess, coordinator, start=True)
            sess.run([fill, close])
            assert sorted(sess.run(element) for _ in range(100)) == list(range(100))
            with pytest.raises(tf.errors.OutOfRangeError):
                sess.run(element)
            coordinator.request_stop()
            coordinator.join(threads)


def test_eager_execution_has_none():
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(2, tf.float32)
    with tf.eager.EagerSession(), pytest.raises(RuntimeError, match="not supported when eager execution is enabled"):
        tf.train.QueueRunner(queue, [1])
