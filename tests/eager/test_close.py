"""Closing: while operations run, from several threads, with a time limit, interrupted, and when it fails."""

import contextvars
import os
import signal
import threading

import pytest
from watched_sessions import STRATEGIES, assert_balanced

import tinytf as tf
from tinytf import _core

SessionClosedError = tf.eager.SessionClosedError


@pytest.fixture(autouse=True)
def handler():
    """Python's own handler for SIGINT, whatever the process was started with."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class RunningOperation:
    """An operation of the session that is inside until `let_go`, on a thread of its own."""

    def __init__(self, session):
        self._began, self._go_on = threading.Event(), threading.Event()
        self._hold = _core.EagerTesting(session._core)
        self._hold.set_failpoint("take_handle", self._stay)
        self.result = None
        self._thread = threading.Thread(target=contextvars.copy_context().run, args=(self._run,))
        self._thread.start()
        self._began.wait()

    def _stay(self):
        self._hold.set_failpoint("take_handle", None)
        self._began.set()
        self._go_on.wait()

    def _run(self):
        try:
            self.result = tf.constant([1.0, 2.0])
        except SessionClosedError as error:
            self.result = error

    def let_go(self):
        self._go_on.set()
        self._thread.join()


def until(session, state):
    """Waits until the session is in that state."""
    while session.stats().state != state:
        pass


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_close_waits_for_an_operation(strategy):
    with tf.EagerSession(resource_cleanup_strategy=strategy) as session:
        operation = RunningOperation(session)
        assert session.stats().active_ops == 1
        with pytest.raises(tf.errors.DeadlineExceededError, match="1 operation is still running"):
            session.close(timeout=0)
        assert session.stats().state == "closing" and not session.closed
        assert session.stats().invalidated == 0  # nothing was freed early
        with pytest.raises(SessionClosedError):
            tf.constant(1.0)
        operation.let_go()
        session.close()
        assert session.closed
        with pytest.raises(SessionClosedError):
            operation.result.numpy()
        assert_balanced(session)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_all_who_close_return_when_it_is_closed(strategy):
    with tf.EagerSession(resource_cleanup_strategy=strategy) as session:
        kept = [tf.constant(float(i)) for i in range(100)]
        operation = RunningOperation(session)
        states = []
        threads = [
            threading.Thread(target=lambda: (session.close(), states.append(session.stats().state))) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        until(session, "closing")
        operation.let_go()
        for thread in threads:
            thread.join()
        assert states == ["closed"] * 8
        assert session.stats().invalidated == 101
        del kept


def test_close_from_inside_an_operation_raises():
    with tf.EagerSession() as session:
        hold = _core.EagerTesting(session._core)
        seen = []

        def close():
            hold.set_failpoint("take_handle", None)
            with pytest.raises(tf.errors.FailedPreconditionError, match="inside an operation"):
                session.close()
            seen.append(session.stats().state)

        hold.set_failpoint("take_handle", close)
        assert tf.constant(2.0).numpy() == 2.0
        assert seen == ["open"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_interrupted_close_may_be_tried_again(strategy):
    with tf.EagerSession(resource_cleanup_strategy=strategy) as session:
        x = tf.constant(1.0)
        operation = RunningOperation(session)

        def interrupt():
            until(session, "closing")
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            session.close()
        thread.join()
        assert session.stats().state == "closing"
        assert session.stats().invalidated == 0
        operation.let_go()
        session.close()
        assert session.closed and session.stats().invalidated == 2
        del x


def test_interrupted_while_the_reaper_ends():
    with tf.EagerSession() as session:
        hold = _core.EagerTesting(session._core)
        held, go_on = threading.Event(), threading.Event()

        def stay():
            hold.set_failpoint("taken_before_free", None)
            held.set()
            go_on.wait()

        hold.pause_reaper()
        x = tf.zeros([1 << 16])
        hold.set_failpoint("taken_before_free", stay)
        del x
        hold.resume()
        held.wait()

        def interrupt():
            until(session, "closing")
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            session.close()
        thread.join()
        assert session.stats().state == "closing"
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.close(timeout=0)
        go_on.set()
        session.close()
        assert session.closed
        assert_balanced(session)


def test_the_bodys_error_wins_over_that_of_close():
    session = tf.EagerSession()

    def refuse(*args):
        session._core.close()
        raise OSError("close's own")

    session._close = refuse
    with pytest.raises(KeyError, match="the body's own") as caught, session:
        raise KeyError("the body's own")
    assert isinstance(caught.value.__context__, OSError)
    assert session.closed
    other = tf.EagerSession()
    other._close = lambda: (other._core.close(), refuse())
    with pytest.raises(OSError, match="close's own"), other:
        pass


def test_a_failing_deleter_is_counted_and_the_rest_is_freed(capfd):
    with tf.EagerSession() as session:
        hold = _core.EagerTesting(session._core)
        left = [3]

        def fail():
            if left[0]:
                left[0] -= 1
                raise OSError("no deleting today")

        hold.set_failpoint("in_deleter", fail)
        for _ in range(10):
            tf.constant(1.0)
        session.flush()
        stats = session.stats()
        assert (stats.free_errors, stats.freed, stats.live) == (3, 10, 0)
    assert capfd.readouterr().err.count("no deleting today") == 1  # told once, not for each


def test_closing_another_session_while_its_tensor_is_used():
    other = tf.EagerSession()
    entered = other.__enter__()
    x = tf.constant([1.0, 2.0])
    with tf.EagerSession() as session:
        hold = _core.EagerTesting(session._core)

        def close():
            hold.set_failpoint("take_handle", None)
            other.close()

        hold.set_failpoint("take_handle", close)
        y = tf.negative(x)  # its memory is held by then
        assert other.closed
        assert y.numpy().tolist() == [-1.0, -2.0]
    entered.__exit__(None, None, None)


def test_many_live_values(watch):
    watched = watch()
    with watched.session as session:
        kept = [tf.constant(float(i)) for i in range(10_000)]
        session.close()
        assert session.stats().invalidated == 10_000
        del kept
        assert session.stats().live == 0


def test_a_thousand_sessions_leave_no_threads():
    before = len(os.listdir("/proc/self/task"))
    for _ in range(1000):
        with tf.EagerSession():
            tf.constant(1.0)
    assert len(os.listdir("/proc/self/task")) == before
    sessions = [tf.EagerSession() for _ in range(200)]
    for session in sessions:
        session.close()
    assert len(os.listdir("/proc/self/task")) == before
