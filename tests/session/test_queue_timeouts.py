"""A step that times out while waiting for a queue names the queue and the operations that could have served it."""

import pytest

import tinytf as tf

_SOON = tf.RunOptions(timeout_in_ms=20)


def _text(sess, fetches):
    with pytest.raises(tf.errors.DeadlineExceededError) as caught:
        sess.run(fetches, options=_SOON)
    assert caught.value.message.startswith("Timed out waiting for notification\n")
    return caught.value


def test_a_runner_that_was_not_started(sess):
    queue = tf.FIFOQueue(2, tf.float32, name="numbers")
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0, name="put")]))
    taken = queue.dequeue(name="take") + 1.0
    error = _text(sess, taken)
    assert error.op.name == "take"
    assert "Operation 'take', created at " in error.message
    assert "waited for elements in the queue 'numbers', created at " in error.message
    assert (
        "The queue runner that fills it, by 'put', was not started: call tf.train.start_queue_runners" in error.message
    )


def test_a_queue_without_a_runner(sess):
    queue = tf.FIFOQueue(2, tf.float32, name="numbers")
    assert "The graph's collection 'queue_runners' has no queue runner for it." in _text(sess, queue.dequeue()).message


def test_runners_that_have_ended_or_still_run(sess):
    queue, source = tf.FIFOQueue(2, tf.float32, name="numbers"), tf.FIFOQueue(2, tf.float32)
    sess.run(source.close())
    leaves_open = tf.no_op()
    runner = tf.train.QueueRunner(queue, [queue.enqueue(source.dequeue())], leaves_open, leaves_open)
    tf.train.add_queue_runner(runner)
    for thread in runner.create_threads(sess, start=True):
        thread.join()
    assert "The threads of its queue runners have ended." in _text(sess, queue.dequeue()).message
    other, never = tf.FIFOQueue(2, tf.float32), tf.FIFOQueue(2, tf.float32).dequeue()
    runner = tf.train.QueueRunner(other, [other.enqueue(never)])
    tf.train.add_queue_runner(runner)
    stop = tf.train.Coordinator()
    threads = runner.create_threads(sess, stop, start=True)
    text = _text(sess, other.dequeue(name="late")).message
    assert "'late'" in text and "runner" not in text
    sess.close()
    stop.request_stop()
    for thread in threads:
        thread.join()


def test_room_that_does_not_come(sess):
    queue = tf.FIFOQueue(1, tf.float32, name="full")
    sess.run(queue.enqueue(1.0))
    text = _text(sess, queue.enqueue(2.0, name="more")).message
    assert "Operation 'more', created at" in text and "waited for room in the queue 'full'" in text
    assert "runner" not in text


def test_imported_queues(sess):
    queue = tf.FIFOQueue(2, tf.float32, name="numbers")
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0, name="put")]))
    queue.dequeue(name="take")
    exported = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session() as other:
        tf.train.import_meta_graph(exported, import_scope="in")
        assert "The queue runner that fills it, by 'in/put', was not started" in _text(other, "in/take:0").message


def test_what_waits_for_no_queue_is_named(sess):
    taken = tf.ConditionalAccumulator(tf.float32, []).take_grad(1, name="gradient")
    error = _text(sess, taken)
    assert error.op.name == "gradient" and "waited for" not in error.message


def test_in_a_loop(sess):
    queue = tf.FIFOQueue(2, tf.float32, [[]], name="numbers")
    total = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x + queue.dequeue(name="take")), [0, 0.0])[1]
    assert "'numbers'" in _text(sess, total).message


def test_a_server_s_words():
    server = tf.train.Server.create_local_server()
    queue = tf.FIFOQueue(2, tf.float32, name="numbers")
    with tf.Session(server.target) as sess:
        with pytest.raises(
            tf.errors.DeadlineExceededError, match=r"^Operation timed out\.\n(.*\n)*.*the queue 'numbers'"
        ):
            sess.run(queue.dequeue(), options=_SOON)
    server.stop()
