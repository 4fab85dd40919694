"""Switching between synchronous and asynchronous eager execution, as in `tf.contrib.eager`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tinytf import _core
from tinytf._src.eager.mode import ASYNC, SYNC
from tinytf._src.eager.session import EagerSession
from tinytf._src.eager.session_entries import pop_to


def _session_for(mode: int | None) -> EagerSession:
    """Returns the thread's session if it executes in that mode, else its twin of the other mode."""
    if mode not in (None, SYNC, ASYNC):
        raise ValueError("execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC")
    session = EagerSession.current()
    return session if session.is_async == (mode == ASYNC) else session._other_way()


def _outer() -> EagerSession | None:
    """Returns the session that was current before the innermost one was entered. None if none was entered, or if it
    would be the default session and that does not exist."""
    entered = _core.entered_sessions()
    if len(entered) < 2:
        return EagerSession.default_if_made() if entered else None
    return entered[-2]


def _finish(session: EagerSession) -> None:
    """Waits for pending operations; raises their error, once."""
    try:
        session.synchronize()
    finally:
        session.clear_error()


@contextmanager
def execution_mode(mode: int | None) -> Iterator[None]:
    """Returns a context manager in which this thread executes operations in the given mode.

    With SYNC (or None) operations run as they are called, with ASYNC on a thread of their own while the program goes
    on. Pending operations are waited for on entry and at the end of the body, where the body's pending error is raised.
    The body's operations run in a twin of the thread's session, which is closed along with it; its values can be used
    anywhere.

    Args:
      mode: `SYNC`, `ASYNC` or None.

    Raises:
      ValueError: for another mode.
    """
    session = _session_for(mode)
    before = EagerSession.current()
    if session is before:
        yield
        return
    before.synchronize()
    depth = session._entries.push(session)
    try:
        yield
    except BaseException:
        EagerSession.current().clear_error()  # the body's own error takes precedence
        raise
    else:
        _finish(EagerSession.current())
    finally:
        pop_to(depth)


def set_execution_mode(mode: int | None) -> None:
    """Sets the mode of this thread from here on; see `execution_mode`. ValueError for another mode."""
    session = _session_for(mode)
    before = EagerSession.current()
    if session is before:
        return
    try:
        _finish(before)
    finally:
        if _outer() is session:
            before._entries.pop()
        else:
            session._entries.push(session)


def async_wait() -> None:
    """Waits until all operations of the thread's session have run, and raises the error of the first that failed."""
    EagerSession.current().synchronize()


def async_clear_error() -> None:
    """Clears the error of a failed asynchronous operation, so that later operations run again."""
    EagerSession.current().clear_error()
