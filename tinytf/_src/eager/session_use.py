"""What builders and scopes use of an eager session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tinytf._src.eager.session_settings import SessionSettings


class UsedSession(Protocol):
    """An eager session, as the builders and scopes that it makes see it."""

    _core: Any
    _settings: SessionSettings

    def _check_open(self) -> None:
        """Raises SessionClosedError if the session is closed."""

    def _safe_point(self) -> None:
        """Frees the values that the session's strategy frees at safe points."""
