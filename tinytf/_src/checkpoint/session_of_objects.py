"""The default session for object-based checkpoints."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.graph.default_graph import get_default_session


def session_of(session: Any = None) -> Any:
    """Returns the session, or the default session if it is None. ValueError if there is none."""
    session = session or get_default_session()
    if session is None:
        raise ValueError(
            "Checkpoints of objects in a graph need a session: pass one, or use `with session.as_default()`"
        )
    return session
