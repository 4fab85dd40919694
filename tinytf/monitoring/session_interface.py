"""What sessions that wrap another one have in common."""

from __future__ import annotations

from typing import Any


class SessionInterface:
    """A session that is not the engine's own: it hands steps to one that is."""

    def raw_session(self) -> Any:
        """The session that runs the steps, or None if it is closed."""
        raise NotImplementedError
