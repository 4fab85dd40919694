"""The end of a session in bounded time, whatever its threads and steps do, and what is told of those that do not end."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from tinytf.client.base_session import BaseSession
from tinytf.client.step_places import begin_close, place_of, places_of_steps
from tinytf.framework import errors_impl, tf_logging

_MORE_SECS = 0.05  # beyond the grace period: for steps to see that they are cancelled, and for threads to see that


def close_session(sess: Any, end: float) -> None:
    """Closes a session, which cancels its steps. Those that have not ended at `end` of the monotonic clock, or shortly after
    now, are left behind, with an error in the log that says where they stand: the session is closed when they end.
    AbortedError if it was lost."""
    if not isinstance(sess, BaseSession) or sess._session.active_runs() == 0:
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
        text = "The session is left behind with steps that do not end: %s"
        tf_logging.error(text, "; ".join(places_of_steps(sess._life)))


def tell_of_threads(threads: list[threading.Thread]) -> None:
    """Warns of those that still run, and says where they stand."""
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
        tf_logging.warning("Threads are left behind that do not end: %s", "; ".join(left))
