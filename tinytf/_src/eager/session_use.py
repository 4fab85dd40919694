"""What builders and scopes use of an eager session."""

from __future__ import annotations

from typing import Any, Protocol


class UsedSession(Protocol):
    """An eager session, as the builders and scopes that it makes see it."""

    _core: Any
    _soft_placement: bool

    def _check_open(self) -> None:
        """Raises SessionClosedError if the session is closed."""

    def _safe_point(self) -> None:
        """Frees the values that the session's strategy frees at safe points."""
