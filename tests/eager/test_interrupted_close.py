"""A KeyboardInterrupt at any point of closing a session loses nothing; the session can be closed again."""

import contextvars
import ctypes
import functools
import gc
import os
import signal
import threading

import pytest
from held_threads import AtPoint, HeldNode, RunningOperation, until
from watched_sessions import STRATEGIES, Strategy, assert_balanced, hold_of

import tinytf as tf

pytestmark = pytest.mark.hooks

LARGE = [1 << 16]  # element count of values that are freed separately from small ones


@pytest.fixture(autouse=True)
def handler():
    """Installs Python's default handler for SIGINT, regardless of how the process was started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def one_signal():
    """A function that sends SIGINT on its first call without running Python code on the calling thread, and its
    iterator.
    """
    signals = map(ctypes.CDLL(None).kill, [os.getpid()], [signal.SIGINT])
    return functools.partial(next, signals, None), signals


def end(session, kept=()):
    """Closes the session again and checks that every value was freed exactly once."""
    session.close()
    session.close()
    assert session.closed
    assert_balanced(session)
    stats = session.stats()
    assert stats.created == stats.freed + stats.invalidated
    assert (stats.live_bytes, stats.queued_bytes, stats.retained_bytes) == (0, 0, 0)
    assert (stats.active_ops, stats.pending_ops, stats.free_errors) == (0, 0, 0)
    assert not stats.reaper.alive
    for tensor in kept:
        with pytest.raises(tf.eager.SessionClosedError):
            tensor.numpy()


@pytest.mark.parametrize("point", ["closing_before_join", "taken_before_free", "in_deleter"])
def test_the_signal_comes_while_close_is_at_a_point(options, point):
    with tf.EagerSession(**options) as session:
        if session.strategy == Strategy.IN_BACKGROUND:
            hold_of(session).pause_reaper()  # so that close has values to free
        kept = [tf.constant([1.0, 2.0]) + 1.0, tf.zeros(LARGE)]
        session.synchronize()
        for size in ([10], LARGE):
            tf.zeros(size)
        interrupt, signals = one_signal()
        hold_of(session).set_failpoint(point, interrupt)
        with pytest.raises(KeyboardInterrupt):
            session.close()
        assert list(signals) == []  # the signal was sent
        assert session.stats().state in ("closing", "closed")
        end(session, kept)


def interrupt_when_closing(session, then=lambda: None):
    """A thread that sends SIGINT once the session is closing."""

    def interrupt():
        until(session, "closing")
        os.kill(os.getpid(), signal.SIGINT)
        then()

    thread = threading.Thread(target=interrupt)
    thread.start()
    return thread


def interrupted(session):
    """Interrupts a close of the session: it stays in the state "closing" and no value is freed."""
    thread = interrupt_when_closing(session)
    with pytest.raises(KeyboardInterrupt):
        session.close()
    thread.join()
    assert session.stats().state == "closing"
    assert session.stats().invalidated == 0
    with pytest.raises(tf.eager.SessionClosedError):
        tf.constant(1.0)
    with pytest.raises(tf.errors.DeadlineExceededError):
        session.close(timeout=0)


def test_the_signal_comes_while_close_waits_for_an_operation(options):
    with tf.EagerSession(**options) as session:
        kept = [tf.constant(1.0)]
        operation = RunningOperation(session)
        interrupted(session)
        operation.let_go()
        end(session, kept)
        assert session.stats().invalidated == 2


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_signal_comes_while_close_waits_for_a_pending_operation(strategy):
    with tf.EagerSession(async_=True, resource_cleanup_strategy=strategy) as session:
        node = HeldNode(session)
        kept = [tf.constant(1.0) + 1.0]
        interrupted(session)
        node.let_go()
        end(session, kept)


@pytest.mark.parametrize("point", ["reaper_turn", "before_rest", "taken_before_free", "in_deleter"])
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_the_signal_comes_while_the_reaper_is_at_a_point(is_async, point):
    with tf.EagerSession(async_=is_async) as session:
        kept = [tf.zeros(LARGE)]
        dropped = tf.zeros(LARGE)
        session.synchronize()
        hold_of(session).pause_reaper()
        held = AtPoint(session, point)
        del dropped
        hold_of(session).resume()
        held.wait()
        interrupted(session)
        held.let_go()
        end(session, kept)


@pytest.mark.parametrize("point", ["taken_before_free", "in_deleter"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_signal_comes_while_another_thread_frees(strategy, point):
    """Close waits for the freeing thread and then raises KeyboardInterrupt."""
    with tf.EagerSession(resource_cleanup_strategy=strategy) as session:
        if strategy == Strategy.IN_BACKGROUND:
            hold_of(session).pause_reaper()
        kept = [tf.zeros(LARGE)]
        for _ in range(3):
            tf.zeros(LARGE)
        held = AtPoint(session, point)

        def free():
            if strategy != Strategy.ON_SESSION_CLOSE:
                session.collect()
                return
            with pytest.raises(tf.eager.SessionClosedError):
                session.reset()

        freeing = threading.Thread(target=free)
        freeing.start()
        held.wait()
        thread = interrupt_when_closing(session, then=held.let_go)
        with pytest.raises(KeyboardInterrupt):
            session.close()
        thread.join()
        freeing.join()
        assert session.stats().state in ("closing", "closed")
        end(session, kept)


@pytest.mark.parametrize("call", ["reset", "flush"])
def test_the_signal_ends_other_calls_that_wait(call):
    with tf.EagerSession() as session:
        kept = tf.zeros(LARGE)
        session.synchronize()
        hold_of(session).pause_reaper()
        held = AtPoint(session, "taken_before_free")
        for _ in range(3):
            tf.zeros(LARGE)
        hold_of(session).resume()
        held.wait()
        operation = RunningOperation(session) if call == "reset" else None
        ended, polls = threading.Event(), []

        def handler(number, frame):
            if frame.f_code.co_name == call:
                polls.append(number)
                if len(polls) == 3:  # reached only if handlers run while the call waits
                    raise KeyboardInterrupt

        def send():
            while not ended.is_set():
                os.kill(os.getpid(), signal.SIGINT)

        signal.signal(signal.SIGINT, handler)
        sender = threading.Thread(target=send)
        sender.start()
        with pytest.raises(KeyboardInterrupt):
            getattr(session, call)()
        ended.set()
        sender.join()
        held.let_go()
        if operation is not None:
            operation.let_go()
        assert (kept + 1.0).numpy()[0] == 1.0  # the session is still usable
        end(session, [kept])


def test_the_signal_comes_while_another_thread_drops(options):
    """The value being dropped is in no list yet; the dropping thread frees it itself."""
    with tf.EagerSession(**options) as session:
        tensors = [tf.zeros(LARGE)]
        session.synchronize()
        held = AtPoint(session, "drop_before_push")
        dropping = threading.Thread(target=tensors.clear)
        dropping.start()
        held.wait()
        interrupt, signals = one_signal()
        hold_of(session).set_failpoint("closing_before_join", interrupt)
        with pytest.raises(KeyboardInterrupt):
            session.close()
        assert list(signals) == []
        session.close()
        assert session.closed and session.stats().live == 1
        held.let_go()
        dropping.join()
        end(session)


def test_a_session_that_is_dropped_then_is_freed(options):
    def body():
        session = tf.EagerSession(**options)
        session.__enter__()
        kept = [tf.constant(1.0), tf.zeros(LARGE)]
        session.synchronize()
        operation = RunningOperation(session)
        interrupted(session)
        operation.let_go()
        assert len(kept) == 2
        return session._core

    with pytest.warns(ResourceWarning, match="was not closed"):
        core = contextvars.Context().run(body)
        gc.collect()
    while core.stats().reaper.alive:
        pass
    stats = core.stats()
    assert (stats.live, stats.queued, stats.live_bytes, stats.queued_bytes) == (0, 0, 0, 0)
