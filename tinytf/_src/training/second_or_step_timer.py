"""`tf.train.SecondOrStepTimer`: triggers every so many seconds or steps."""

from __future__ import annotations

import math
import time
from types import BuiltinFunctionType
from typing import Any

from tinytf._src.exports import tf_export


def _is_own(clock: Any, name: str) -> bool:
    """Returns whether a clock is the interpreter's own, not a replacement.

    Replacements may be older than this module. Tests often replace `time.time` before anything else.
    """
    return isinstance(clock, BuiltinFunctionType) and (clock.__module__, clock.__name__) == ("time", name)


def _counts_wall_time() -> bool:
    """Returns whether the program has replaced `time.time`, as tests do; that clock then counts."""
    return not _is_own(time.time, "time")


@tf_export("train.SecondOrStepTimer")
class SecondOrStepTimer:
    """Decides whether an action is due at a step: at the first step, and then every so many seconds or steps.

    Time is measured by `time.monotonic`, or by `time.time` while a program has replaced that function.

    Args:
      every_secs: optional float, interval in seconds.
      every_steps: optional int, interval in steps.

    Raises:
      ValueError: unless exactly one of both is given.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        self.reset()
        self._every_secs = every_secs
        self._every_steps = every_steps
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")

    def reset(self) -> None:
        """Forgets the last trigger."""
        self._last_triggered_step: int | None = None
        self._last_triggered_times: tuple[float, float] | None = None  # On both clocks.
        self._due: Any = None  # The next step at which it is due.

    def should_trigger_for_step(self, step: int) -> bool:
        """Returns whether the action is due at a step; it is due at most once per step.

        Args:
          step: int, the current step.
        """
        last = self._last_triggered_step
        if last is None:
            return True
        if self._every_steps is not None:
            return step >= self._due and step != last
        then, now = self._times()
        assert self._every_secs is not None
        return now >= then + self._every_secs and step != last

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Records a trigger.

        Args:
          step: int, the current step.

        Returns:
          The seconds and the steps since the previous trigger; (None, None) for the first one.
        """
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
        """Returns the time of the last trigger and the current time on the clock that counts."""
        assert self._last_triggered_times is not None
        steady, wall = self._last_triggered_times
        return (wall, time.time()) if _counts_wall_time() else (steady, time.monotonic())

    def _left(self) -> tuple[Any, float] | None:
        """Returns the next due step and the seconds left, infinity for the criterion that is not used.

        Returns None if the action is due now, if the clock is not the one of the engine, or if a subclass overrides the
        decision.
        """
        if self._last_triggered_step is None or type(self).should_trigger_for_step is not _OWN:
            return None
        if self._every_steps is not None:
            return self._due, math.inf
        if not _is_own(time.monotonic, "monotonic") or _counts_wall_time():
            return None
        assert self._every_secs is not None
        then, now = self._times()
        left = then + self._every_secs - now
        return (math.inf, left) if left > 0 else None

    def last_triggered_step(self) -> int | None:
        """Returns the step of the last trigger, or None."""
        return self._last_triggered_step


_OWN = SecondOrStepTimer.should_trigger_for_step
