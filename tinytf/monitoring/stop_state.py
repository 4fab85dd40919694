"""Whether, and why, a monitored session is to end; kept while the session below it is lost and made again."""

from __future__ import annotations


class StopState:
    """For one monitored session."""

    def __init__(self) -> None:
        self.requested = False  # by a hook, or a signal
        self.by_signals = False  # whether signals may request it
        self.reason: str | None = None
        self.error: BaseException | None = None  # which ends the block of the session, after hooks had their end

    def request(self, reason: str) -> None:
        """A hook wants no more steps."""
        self.requested = True
        self.note(reason)

    def note(self, reason: str) -> None:
        """Keeps the first reason."""
        if self.reason is None:
            self.reason = reason

    def end_by(self, error: BaseException, reason: str) -> None:
        """No further step begins: it raises this."""
        self.error = error
        self.request(reason)
