"""Closing a session: while operations run, from several threads, with a time limit, and with errors in deleters."""

import threading

import pytest
from held_threads import RunningOperation, until
from watched_sessions import STRATEGIES, assert_balanced

import tinytf as tf
from tinytf import _core

pytestmark = pytest.mark.hooks

SessionClosedError = tf.eager.SessionClosedError


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
        hold = _core.testing.EagerTesting(session._core)
        seen = []

        def close():
            hold.set_failpoint("take_handle", None)
            with pytest.raises(tf.errors.FailedPreconditionError, match="inside an operation"):
                session.close()
            seen.append(session.stats().state)

        hold.set_failpoint("take_handle", close)
        assert tf.constant(2.0).numpy() == 2.0
        assert seen == ["open"]


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
        hold = _core.testing.EagerTesting(session._core)
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
    assert capfd.readouterr().err.count("no deleting today") == 1  # reported once, not for each value


def test_closing_another_session_while_its_tensor_is_used():
    other = tf.EagerSession()
    entered = other.__enter__()
    x = tf.constant([1.0, 2.0])
    with tf.EagerSession() as session:
        hold = _core.testing.EagerTesting(session._core)

        def close():
            hold.set_failpoint("take_handle", None)
            other.close()

        hold.set_failpoint("take_handle", close)
        y = tf.negative(x)  # the operation already holds the memory of its input
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


@pytest.mark.parametrize("seconds", [1e15, 1e300, float("inf")])
def test_long_times_are_as_none(options, seconds):
    with tf.EagerSession(**options) as session:
        x = tf.constant([1.0]) + 1.0
        session.synchronize(seconds)
        del x
        session.flush(seconds)
        session.close(timeout=seconds)
    assert session.stats().live == 0
