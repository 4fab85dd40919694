"""The end of a session in bounded time, whatever its threads and steps do, and what is told of those that do not end."""

from __future__ import annotations

import os
import sys
import threading
import time
from types import FrameType
from typing import Any

from tinytf.client.base_session import BaseSession
from tinytf.framework import tf_logging

_MORE_SECS = 0.05  # beyond the grace period: for steps to see that they are cancelled, and for threads to see that
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def close_session(sess: Any, end: float) -> None:
    """Closes a session, which cancels its steps. Those that have not ended at `end` of the monotonic clock, or shortly after
    now, are left behind, with an error in the log that says where they stand: the session is closed when they end."""
    if not isinstance(sess, BaseSession) or sess._session.active_runs() == 0:
        sess.close()
        return
    closing = threading.Thread(target=sess.close, name="SessionCloseThread", daemon=True)
    closing.start()
    closing.join(max(end - time.monotonic(), 0.0) + _MORE_SECS)
    if closing.is_alive():
        text = "The session is left behind with steps that do not end: %s"
        tf_logging.error(text, "; ".join(_places_of_steps(sess)))


def tell_of_threads(threads: list[threading.Thread]) -> None:
    """Warns of those that still run, and says where they stand."""
    end = time.monotonic() + _MORE_SECS / 2
    for thread in threads:
        if thread.is_alive() and thread is not threading.current_thread():
            thread.join(max(end - time.monotonic(), 0.0))
    frames = sys._current_frames()
    left = [
        f"{thread.name} ({_place(frames.get(thread.ident or 0))})"
        for thread in threads
        if thread.is_alive() and thread is not threading.current_thread()
    ]
    if left:
        tf_logging.warning("Threads are left behind that do not end: %s", "; ".join(left))


def _places_of_steps(sess: BaseSession) -> list[str]:
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    frames = sys._current_frames()
    found = [
        f"{names[ident]} ({_place(frame)})"
        for ident, frame in frames.items()
        if ident in names and _runs_step(frame, sess)
    ]
    # Else it may be a function of the program on a thread of the engine, which Python does not know by name.
    return found or [_place(frame) for ident, frame in frames.items() if ident not in names] or ["in the engine"]


def _runs_step(frame: FrameType | None, sess: BaseSession) -> bool:
    """Whether a thread is within a call of the session that runs steps."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_OWN):
            local = frame.f_locals
            if frame.f_code.co_name != "close" and (
                local.get("session") is sess or local.get("self") is sess or local.get("steps") is sess._steps
            ):
                return True
        frame = frame.f_back
    return False


def _place(frame: FrameType | None) -> str:
    """The innermost line that is not of tinytf."""
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith((_OWN, threading.__file__)):
            return f"{code.co_name}, {code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return "in the engine"
