"""Which sessions of the process are open."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tinytf.client.session_life import SessionLife

# By id: made sessions that were neither closed nor freed. Not owned here. Single operations of a dict are atomic.
_open: dict[int, weakref.ref[SessionLife]] = {}


def opened(session: SessionLife) -> None:
    """Notes a session that has just been made."""
    _open[id(session)] = weakref.ref(session)


def ended(session: SessionLife) -> None:
    """Forgets a session that is being closed or freed; more than once does no harm."""
    _open.pop(id(session), None)


def open_sessions() -> list[SessionLife]:
    """The process's sessions that were not closed, in the order of their making."""
    sessions = [reference() for reference in list(_open.values())]
    return [session for session in sessions if session is not None]
