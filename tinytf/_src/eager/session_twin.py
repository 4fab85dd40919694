"""`SessionTwin`: the session with the same options and the other execution mode."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tinytf._src.eager.session import EagerSession


class SessionTwin:
    """The twin of one session, which is made on demand. A member of the session. Thread-safe.

    The session that makes its twin owns it, and closes it. Each of the two is the twin of the other. `lock` is held
    while the twin is made.
    """

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self.session: EagerSession | None = None  # the twin, if there is one
        self.is_owner = False  # whether the twin owns the session, instead of the session its twin

    def owned(self) -> EagerSession | None:
        """Returns the twin if the session owns it, else None."""
        return None if self.is_owner else self.session

    def made_by(self, session: EagerSession, make: Callable[[], EagerSession]) -> EagerSession:
        """Returns the twin of `session`, whose member this is; calls `make` if there is none."""
        with self._lock:
            if self.session is None:
                self.session = make()
                self.session._twin._belong_to(session)
            return self.session

    def _belong_to(self, owner: EagerSession) -> None:
        self.is_owner, self.session = True, owner
