"""Whether and why a monitored session should stop; survives losses of the wrapped session."""

from __future__ import annotations


class StopState:
    """Stop state of one monitored session."""

    def __init__(self) -> None:
        self.requested = False  # by a hook or signal
        self.by_signals = False  # whether signals may request it
        self.reason: str | None = None
        self.error: BaseException | None = None  # raised at the end of the session's block, after the hooks' `end`

    def request(self, reason: str) -> None:
        """Requests a stop."""
        self.requested = True
        self.note(reason)

    def note(self, reason: str) -> None:
        """Records a reason, unless there is one already."""
        if self.reason is None:
            self.reason = reason

    def end_by(self, error: BaseException, reason: str) -> None:
        """Requests a stop by an error: later steps raise it."""
        self.error = error
        self.request(reason)
