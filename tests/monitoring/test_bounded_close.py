"""A monitored session closes in bounded time, even if its queues, threads and functions hang, and reports them."""

import threading
import time

import pytest

import tinytf as tf

_GRACE = 0.3
_LONG = 600  # seconds; more than a test may take (`faulthandler_timeout`), so that a close that waits is found


def test_a_queue_that_is_full_ends_at_once(caplog):
    queue = tf.FIFOQueue(2, tf.float32)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)] * 3))
    size = queue.size()
    sess = tf.train.MonitoredSession(stop_grace_period_secs=_LONG)
    while sess.run(size) < 2:
        pass
    sess.close()
    assert "left behind" not in caplog.text


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
    sess.close()
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
    sess.close()  # returns even though the thread never ends
    assert "Some threads are still running and are abandoned: Stubborn (hang, " in caplog.text
    assert "test_bounded_close.py:" in caplog.text
    assert not opened()
    release.set()
    hook.thread.join()


def test_a_thread_that_takes_a_while_to_end(caplog):
    tf.Variable(1.0)

    class Slow(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            self.thread = threading.Thread(target=self.work, args=[coord])
            coord.register_thread(self.thread)
            self.thread.start()

        def work(self, coord):
            coord.wait_for_stop()
            time.sleep(_GRACE)

    hook = Slow()
    tf.train.MonitoredSession(hooks=[hook], stop_grace_period_secs=_LONG).close()
    assert not hook.thread.is_alive()
    assert "left behind" not in caplog.text


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
