"""Delays between tries."""

from __future__ import annotations

import time

_FIRST = 0.1  # seconds; doubles with each try, up to the longest


class Waits:
    """The delays between tries of something that must happen within `limit` seconds; none exceeds `longest`."""

    def __init__(self, limit: float, longest: float) -> None:
        self._end = time.monotonic() + limit
        self._longest = longest
        self._next = _FIRST

    def __call__(self) -> float | None:
        """Returns the delay before the next try; None after the limit."""
        left = self._end - time.monotonic()
        now = min(self._next, self._longest, left)
        self._next *= 2
        return now if left > 0 else None
