"""`close(cancel_pending=True)` cancels waiting operations: at once, after a close that timed out, and beside a
close that waits.
"""

import contextlib
import contextvars
import threading

import pytest
from held_threads import until

import tinytf as tf


class Dequeue:
    """A thread, or an asynchronous operation, that waits for an element of an empty queue of the session."""

    def __init__(self, session):
        self.error = None
        with session_entered(session):
            self._queue = tf.FIFOQueue(2, tf.float32)
            if session.is_async:
                self.value = self._queue.dequeue()
                self.later = self.value * 2.0
                self._thread = None
                return
            began = threading.Event()
            self._thread = threading.Thread(target=contextvars.copy_context().run, args=(self._wait, began))
            self._thread.start()
            began.wait()
        while session.stats().active_ops == 0:
            pass

    def _wait(self, began):
        began.set()
        try:
            self._queue.dequeue()
        except tf.errors.CancelledError as error:
            self.error = error

    def end(self):
        if self._thread is not None:
            self._thread.join()
            assert self.error is not None


@contextlib.contextmanager
def session_entered(session):
    """Enters the session without closing it at the end."""
    session._entries.push(session)
    yield
    session._entries.pop()


@pytest.fixture
def waiting(session):
    """A session with a waiting operation."""
    dequeue = Dequeue(session)
    yield session
    dequeue.end()


def test_at_once(waiting):
    waiting.close(cancel_pending=True)
    assert waiting.closed


def test_after_a_close_that_gave_up(waiting):
    with pytest.raises(tf.errors.DeadlineExceededError):
        waiting.close(timeout=0.02)
    with pytest.raises(tf.errors.DeadlineExceededError):
        waiting.close(timeout=0.02)
    waiting.close(cancel_pending=True)
    assert waiting.closed


def test_beside_a_close_that_waits(waiting):
    first = threading.Thread(target=waiting.close)
    first.start()
    until(waiting, "closing")
    waiting.close(cancel_pending=True)
    first.join()
    assert waiting.closed


def test_a_reset_cancels_nothing(waiting):
    with pytest.raises(tf.errors.DeadlineExceededError):
        waiting.reset(timeout=0.02)
    assert waiting.stats().state == "open"
    waiting.close(cancel_pending=True)


def test_an_operation_that_waits_for_another_sessions_is_cancelled_with_its_own():
    """The waiting operation has not started, because its operand is pending in the other session."""
    with tf.EagerSession(async_=True) as other:
        dequeue = Dequeue(other)
        with tf.EagerSession(async_=True) as session:
            waits = dequeue.value + 1.0
            session.close(cancel_pending=True)
            with pytest.raises(tf.eager.SessionClosedError):
                waits.numpy()
        assert other.pending_ops > 0
        other.close(cancel_pending=True)


@pytest.mark.parametrize("call", [tf.py_function, tf.py_func, tf.numpy_function])
def test_a_function_of_the_program_cannot_close_its_session(session, call):
    with session:
        for end in (session.close, session.reset):
            with pytest.raises(tf.errors.FailedPreconditionError, match="inside an operation"):
                call(lambda x, end=end: end() or x, [tf.constant(1.0)], tf.float32)
        assert call(lambda x: x * 2.0, [tf.constant(1.0)], tf.float32).numpy() == 2.0
