"""`tf.train.SecondOrStepTimer`: what is due each so many seconds, or steps."""

from __future__ import annotations

import math
import time
from typing import Any

from tinytf.exports import tf_export

_STEADY, _WALL = time.monotonic, time.time  # the clocks that are not a program's own


def _counts_wall_time() -> bool:
    """Whether a program has put a wall clock of its own in place, as tests do: then that one counts."""
    return time.time is not _WALL


@tf_export("train.SecondOrStepTimer")
class SecondOrStepTimer:
    """Says whether something is due at a step: first at once, then after so many seconds or steps. ValueError without one of
    both, and with both.

    Seconds are those of `time.monotonic`; of `time.time` as long as a program has another function in its place."""

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        self.reset()
        self._every_secs = every_secs
        self._every_steps = every_steps
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")

    def reset(self) -> None:
        """Forgets when it was due."""
        self._last_triggered_step: int | None = None
        self._last_triggered_times: tuple[float, float] | None = None  # of both clocks
        self._due: Any = None  # the step at which it is due

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is due at this step. Once for a step only."""
        last = self._last_triggered_step
        if last is None:
            return True
        if self._every_steps is not None:
            return step >= self._due and step != last
        then, now = self._times()
        assert self._every_secs is not None
        return now >= then + self._every_secs and step != last

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """It was done at this step: returns the seconds and steps since the last time, None and None the first time."""
        elapsed: tuple[float | None, int | None] = None, None
        if self._last_triggered_step is not None:
            then, now = self._times()
            elapsed = now - then, step - self._last_triggered_step
        self._last_triggered_times = time.monotonic(), time.time()
        self._last_triggered_step = step
        if self._every_steps is not None:
            self._due = step + self._every_steps
        return elapsed

    def _times(self) -> tuple[float, float]:
        """When it was done last, and now, on the clock that counts."""
        assert self._last_triggered_times is not None
        steady, wall = self._last_triggered_times
        return (wall, time.time()) if _counts_wall_time() else (steady, time.monotonic())

    def _left(self) -> tuple[Any, float] | None:
        """The step at which it is due next, and in how many seconds: infinity for what does not count. None if it is due at
        once, or the clock is not the one that the engine has, or a derived class has its own say."""
        if self._last_triggered_step is None or type(self).should_trigger_for_step is not _OWN:
            return None
        if self._every_steps is not None:
            return self._due, math.inf
        if time.monotonic is not _STEADY or _counts_wall_time():
            return None
        assert self._every_secs is not None
        then, now = self._times()
        left = then + self._every_secs - now
        return (math.inf, left) if left > 0 else None

    def last_triggered_step(self) -> int | None:
        """The step at which it was done last."""
        return self._last_triggered_step


_OWN = SecondOrStepTimer.should_trigger_for_step
