"""Finds where threads that do not end are stuck, for error messages."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tinytf._src.session.session_life import SessionLife

_OWN = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep


def begin_close(close: Callable[[], object]) -> threading.Thread:
    """Calls `close` on a daemon thread and returns that: the close goes on when the steps that it waits for end."""
    closing = threading.Thread(target=close, name="SessionCloseThread", daemon=True)
    closing.start()
    return closing


def places_of_steps(life: SessionLife) -> list[str]:
    """Describes the threads that run steps of a session: name, and innermost line outside tinytf."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    frames = sys._current_frames()
    found = [
        f"{names[ident]} ({place_of(frame)})"
        for ident, frame in frames.items()
        if ident in names and _runs_step(frame, life)
    ]
    # Otherwise the step may be in a Python function on one of the engine's threads, which `threading` does not know.
    return found or [place_of(frame) for ident, frame in frames.items() if ident not in names] or ["in the engine"]


def _runs_step(frame: FrameType | None, life: SessionLife) -> bool:
    """Returns whether a thread is within a call of the session that runs steps."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_OWN) and frame.f_code.co_name not in ("close", "release"):
            local = frame.f_locals
            sessions = (getattr(local.get(name), "_life", None) for name in ("session", "self"))
            if any(found is life for found in sessions) or local.get("steps") is life.steps:
                return True
        frame = frame.f_back
    return False


def place_of(frame: FrameType | None) -> str:
    """Returns the innermost line outside tinytf."""
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith((_OWN, threading.__file__)):
            return f"{code.co_name}, {code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return "in the engine"
