"""`SessionTwin`: the session with the same options and the other execution mode."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar


class Twinned(Protocol):
    """An eager session, as its twin sees it."""

    _twin: SessionTwin[Any]


S = TypeVar("S", bound=Twinned)


class SessionTwin(Generic[S]):
    """The twin of one session, which is made on demand. A member of the session. Thread-safe.

    The session that makes its twin owns it, and closes it. Each of the two is the twin of the other. `lock` is held
    while the twin is made.
    """

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self.session: S | None = None  # the twin, if there is one
        self.is_owner = False  # whether the twin owns the session, instead of the session its twin

    def owned(self) -> S | None:
        """Returns the twin if the session owns it, else None."""
        return None if self.is_owner else self.session

    def made_by(self, session: S, make: Callable[[], S]) -> S:
        """Returns the twin of `session`, whose member this is; calls `make` if there is none."""
        with self._lock:
            if self.session is None:
                self.session = make()
                self.session._twin._belong_to(session)
            return self.session

    def _belong_to(self, owner: S) -> None:
        self.is_owner, self.session = True, owner
