"""`SessionEntries`: where an eager session is the one that executes operations."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src.eager.session_use import UsedSession


class SessionEntries:
    """The frames of the Python contexts that entered one session and have not left it. A member of the session."""

    def __init__(self) -> None:
        self._frames: list[Any] = []

    def exist(self) -> bool:
        """Returns whether some context has entered the session."""
        return bool(self._frames)

    def push(self, session: UsedSession) -> int:
        """Makes the session, whose member this is, the context's session; returns how many sessions were entered
        before."""
        before = len(_core.entered_sessions())
        self._frames.append(_core.enter_session(session, session._core))
        return before

    def pop(self) -> None:
        """Leaves the session's frame that this context entered last; or, if there is none, as in a generator that ends
        in another context, the last frame entered anywhere."""
        frames = [frame for frame in self._frames if _core.has_frame(frame)] or self._frames
        frame = frames[-1]
        self._frames.remove(frame)
        _core.leave_frame(frame)


def pop_to(depth: int) -> None:
    """Leaves the sessions that this context entered last, until `depth` are left."""
    while len(entered := _core.entered_sessions()) > depth:
        entered[-1]._entries.pop()
