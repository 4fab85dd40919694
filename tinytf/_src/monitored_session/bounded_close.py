"""Closes sessions in bounded time, and reports threads and steps that do not end."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging
from tinytf._src.session.base_session import local_engine_of
from tinytf._src.session.step_places import begin_close, place_of, places_of_steps

_MORE_SECS = 0.05  # beyond the grace period, for steps and threads to notice the cancellation


def close_session(sess: Any, end: float) -> None:
    """Closes a session, which cancels its steps. Waits for them until `end` (of the monotonic clock), but at least
    `_MORE_SECS`. Steps that still run then are logged as an error with their locations; the session is closed when they
    end. AbortedError if the session was lost."""
    engine = local_engine_of(sess)
    if engine is None or engine.active_runs() == 0:
        sess.close()
        return
    lost: list[errors_impl.AbortedError] = []

    def close() -> None:
        try:
            sess.close()
        except errors_impl.AbortedError as error:
            lost.append(error)

    closing = begin_close(close)
    closing.join(max(end - time.monotonic(), 0.0) + _MORE_SECS)
    if lost:
        raise lost[0]
    if closing.is_alive():
        text = "The session is abandoned, because some of its steps do not end: %s"
        tf_logging.error(text, "; ".join(places_of_steps(sess._life)))


def tell_of_threads(threads: list[threading.Thread]) -> None:
    """Logs a warning with the locations of the threads that are still running."""
    end = time.monotonic() + _MORE_SECS / 2
    for thread in threads:
        if thread.is_alive() and thread is not threading.current_thread():
            thread.join(max(end - time.monotonic(), 0.0))
    frames = sys._current_frames()
    left = [
        f"{thread.name} ({place_of(frames.get(thread.ident or 0))})"
        for thread in threads
        if thread.is_alive() and thread is not threading.current_thread()
    ]
    if left:
        tf_logging.warning("Some threads are still running and are abandoned: %s", "; ".join(left))
