"""Whether, and why, a monitored session is to end; kept while the session below it is lost and made again."""

from __future__ import annotations


class StopState:
    """For one monitored session."""

    def __init__(self) -> None:
        self.requested = False  # by a hook
        self.reason: str | None = None

    def request(self, reason: str) -> None:
        """A hook wants no more steps."""
        self.requested = True
        self.note(reason)

    def note(self, reason: str) -> None:
        """Keeps the first reason."""
        if self.reason is None:
            self.reason = reason
