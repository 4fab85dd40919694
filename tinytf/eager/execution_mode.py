"""Changing between synchronous and asynchronous execution while a program runs, as `tf.contrib.eager` does it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tinytf.eager.mode import ASYNC, SYNC
from tinytf.eager.session import EagerSession


def _session_for(mode: int | None) -> EagerSession:
    """The thread's session or its twin, whichever executes in that way."""
    if mode not in (None, SYNC, ASYNC):
        raise ValueError("execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC")
    session = EagerSession.current()
    return session if session.is_async == (mode == ASYNC) else session._other_way()


def _finish(session: EagerSession) -> None:
    """Waits for what runs; an error is raised, and does not come again."""
    try:
        session.synchronize()
    finally:
        session.clear_error()


@contextmanager
def execution_mode(mode: int | None) -> Iterator[None]:
    """Operations of the body, on this thread, are executed with SYNC (or None) as they are called, with ASYNC on a thread
    of their own while the program goes on. Before and after it waits for operations that have not run yet.

    The body's operations run in a session beside the thread's, and closed with that; its values are used as any others.
    ValueError for another mode. An error of an operation that nobody waited for comes at the end of the body.
    """
    session = _session_for(mode)
    before = EagerSession.current()
    if session is before:
        yield
        return
    before.synchronize()
    depth = session._push()
    try:
        yield
    except BaseException:
        EagerSession.current().clear_error()  # the body's error wins
        raise
    else:
        _finish(EagerSession.current())
    finally:
        EagerSession._pop_to(depth)


def set_execution_mode(mode: int | None) -> None:
    """As `execution_mode`, from here on. ValueError for another mode."""
    session = _session_for(mode)
    before = EagerSession.current()
    if session is before:
        return
    try:
        _finish(before)
    finally:
        if EagerSession._outer() is session:
            before._pop()
        else:
            session._push()


def async_wait() -> None:
    """Waits until all operations of the thread's session have run, and raises the error of the first that failed."""
    EagerSession.current().synchronize()


def async_clear_error() -> None:
    """After an operation failed that ran asynchronously: later ones may run again."""
    EagerSession.current().clear_error()
