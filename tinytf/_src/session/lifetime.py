"""Registry of the open sessions of the process."""

from __future__ import annotations

import weakref
from typing import Protocol


class OpenSession(Protocol):
    """A session, as its registry and `Session.reset` know it."""

    factory: object  # of its engine

    def clear_container(self, name: str) -> None:
        """Drops the resources of a container."""

    def release(self) -> None:
        """Closes the engine: runs fail from now on."""

    def close(self) -> None:
        """Closes the session."""


# Sessions that were neither closed nor freed, by id; weak references. Single operations of a dict are atomic.
_open: dict[int, weakref.ref[OpenSession]] = {}


def opened(session: OpenSession) -> None:
    """Registers a new session."""
    _open[id(session)] = weakref.ref(session)


def ended(session: OpenSession) -> None:
    """Removes a session that is being closed or freed. Idempotent."""
    _open.pop(id(session), None)


def open_sessions() -> list[OpenSession]:
    """Returns the process's sessions that were not closed, in the order of their creation."""
    sessions = [reference() for reference in list(_open.values())]
    return [session for session in sessions if session is not None]
