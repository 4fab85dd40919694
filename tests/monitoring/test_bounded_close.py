"""A monitored session closes in bounded time, even if its queues, threads and functions hang, and reports them."""

import threading
import time

import pytest

import tinytf as tf

_GRACE = 0.3
_LONG = 600  # seconds; a close that does not wait takes a small part of it on any machine


def _close(sess):
    """The seconds that the close takes."""
    begin = time.monotonic()
    sess.close()
    return time.monotonic() - begin


def test_a_queue_that_is_full_ends_at_once():
    queue = tf.FIFOQueue(2, tf.float32)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)] * 3))
    size = queue.size()
    sess = tf.train.MonitoredSession(stop_grace_period_secs=_LONG)
    while sess.run(size) < 2:
        pass
    assert _close(sess) < _LONG / 2


def test_a_step_that_waits_for_a_queue(caplog):
    element = tf.FIFOQueue(2, tf.float32).dequeue()
    sess = tf.train.MonitoredSession(stop_grace_period_secs=_LONG)
    raised = []

    def wait():
        try:
            sess.run(element)
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    while not sess.raw_session().stats().active_runs:
        pass
    assert _close(sess) < _LONG / 2
    thread.join()
    assert isinstance(raised[0], tf.errors.CancelledError)
    assert "left behind" not in caplog.text


def test_a_thread_that_does_not_end(caplog, opened):
    tf.Variable(1.0)
    release = threading.Event()

    class Hangs(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            thread = threading.Thread(target=self.hang, name="Stubborn", daemon=True)
            coord.register_thread(thread)
            thread.start()
            self.thread = thread

        def hang(self):
            release.wait()

    hook = Hangs()
    sess = tf.train.MonitoredSession(hooks=[hook], stop_grace_period_secs=_GRACE)
    assert _close(sess) >= _GRACE  # close returns even though the thread never ends
    assert "Some threads are still running and are abandoned: Stubborn (hang, " in caplog.text
    assert "test_bounded_close.py:" in caplog.text
    assert not opened()
    release.set()
    hook.thread.join()


@pytest.mark.keeps_state  # until the function has ended
def test_a_function_that_does_not_end(caplog, opened):
    release, entered = threading.Event(), threading.Event()

    def stuck():
        entered.set()
        release.wait()
        return 1.0

    value = tf.py_func(stuck, [], tf.float64)
    sess = tf.train.MonitoredSession(stop_grace_period_secs=_GRACE)

    def run():
        try:
            sess.run(value)
        except tf.errors.OpError:
            pass

    thread = threading.Thread(target=run, name="Runs")
    thread.start()
    entered.wait()
    sess.close()
    assert "The session is abandoned, because some of its steps do not end: " in caplog.text
    assert "(stuck, " in caplog.text and "test_bounded_close.py:" in caplog.text
    with pytest.raises(RuntimeError, match="closed"):
        sess.run(value)
    release.set()
    thread.join()
    for other in threading.enumerate():
        if other.name == "SessionCloseThread":
            other.join()
    assert not opened()


@pytest.mark.keeps_state
def test_a_queue_runner_whose_function_does_not_end(caplog):
    release, entered = threading.Event(), threading.Event()

    def stuck():
        entered.set()
        release.wait()
        return 1.0

    queue = tf.FIFOQueue(2, tf.float64)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(tf.py_func(stuck, [], tf.float64))]))
    sess = tf.train.MonitoredSession(stop_grace_period_secs=_GRACE)
    entered.wait()
    sess.close()
    assert "QueueRunnerThread-" in caplog.text and "(stuck, " in caplog.text
    release.set()
    for other in threading.enumerate():
        if other.name == "SessionCloseThread" or other.name.startswith("QueueRunner"):
            other.join()
