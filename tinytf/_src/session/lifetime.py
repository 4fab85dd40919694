"""Registry of the open sessions of the process."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tinytf._src.session.session_life import SessionLife

# Sessions that were neither closed nor freed, by id; weak references. Single operations of a dict are atomic.
_open: dict[int, weakref.ref[SessionLife]] = {}


def opened(session: SessionLife) -> None:
    """Registers a new session."""
    _open[id(session)] = weakref.ref(session)


def ended(session: SessionLife) -> None:
    """Removes a session that is being closed or freed. Idempotent."""
    _open.pop(id(session), None)


def open_sessions() -> list[SessionLife]:
    """Returns the process's sessions that were not closed, in the order of their creation."""
    sessions = [reference() for reference in list(_open.values())]
    return [session for session in sessions if session is not None]
