"""`DefaultSession`: the eager session of the process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from tinytf import _core


class MayBeDefault(Protocol):
    """An eager session, as the place of the process's own session sees it."""

    _is_default: bool

    def _become_default(self) -> None:
        """Makes the session the one that executes operations outside of all others."""


S = TypeVar("S", bound=MayBeDefault)


class DefaultSession(Generic[S]):
    """The process's own session, which is made at its first use. There is one instance. Thread-safe.

    `lock` is held while the session is made.
    """

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self.session: S | None = None  # None before its first use

    def init(self, make: Callable[[], S]) -> S:
        """Makes the session. RuntimeError if it exists."""
        with self._lock:
            if self.session is not None:
                raise RuntimeError("Default eager session is already initialized")
            self.session = make()
            self.session._become_default()
            return self.session

    def get(self, make: Callable[[], S]) -> S:
        """Returns the session, which is made if it does not exist."""
        with self._lock:
            if self.session is None:
                self.session = make()
                self.session._become_default()
            return self.session

    def take(self) -> S | None:
        """Returns the session, if it exists, which is an ordinary one from now on; the next use makes a new one."""
        with self._lock:
            session, self.session = self.session, None
            if session is not None:
                session._is_default = False
                _core.set_default_core(None)
        return session
