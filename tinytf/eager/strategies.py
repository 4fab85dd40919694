"""What an eager session can be told when it is made."""

from __future__ import annotations

import enum
import numbers
from typing import Any

import numpy as np

from tinytf.framework.errors_impl import InvalidArgumentError


class ResourceCleanupStrategy(enum.IntEnum):
    """When a session frees the values that a program no longer refers to. All are freed when it is closed."""

    IN_BACKGROUND = 0
    """Soon, by a thread of the session."""
    ON_SAFE_POINTS = 1
    """By the next call of the session that is a safe point; there is no thread."""
    ON_SESSION_CLOSE = 2
    """By close only."""


class DevicePlacementPolicy(enum.IntEnum):
    """What an operation does with an input that is on another device than its own."""

    EXPLICIT = 0
    """Fails."""
    WARN = 1
    """Takes it, and logs a warning."""
    SILENT = 2
    """Takes it."""
    SILENT_FOR_INT32 = 3
    """Takes it if it is int32, else fails."""


_FLAGS = ("async_", "track_sites")


def check(**options: Any) -> None:
    """Options of a session, which may be a part of them, as the constructor takes them.

    TypeError for flags that are no bools and numbers that are no ints; InvalidArgumentError for numbers below 0, and for
    a hard mark below the soft one.
    """
    for name, value in options.items():
        if name in _FLAGS:
            if not isinstance(value, (bool, np.bool_)):
                raise TypeError(f"{name} must be a bool, not {value!r}")
        elif isinstance(value, bool) or not isinstance(value, numbers.Integral):
            raise TypeError(f"{name} must be an int, not {value!r}")
        elif value < 0:
            raise InvalidArgumentError(None, None, f"{name} must not be below 0, but is {value}")
    for what in ("bytes", "handles"):
        soft, hard = options.get(f"soft_{what}", 0), options.get(f"hard_{what}")
        if hard is not None and soft > hard:
            raise InvalidArgumentError(None, None, f"soft_{what}, {soft}, must not be above hard_{what}, {hard}")


class Options:
    """Collects the options of sessions: setters return the object, `build` makes a session and may be called again.

    Setters raise what the constructor of EagerSession raises for such a value.
    """

    _session: Any  # the class of sessions, which sets it

    def __init__(self) -> None:
        self._chosen: dict[str, Any] = {}

    def async_(self, value: bool) -> Options:
        """Whether operations run on a thread of the session while the program goes on."""
        return self._set("async_", value)

    def device_placement_policy(self, value: Any) -> Options:
        """A DevicePlacementPolicy."""
        return self._set("device_placement_policy", DevicePlacementPolicy(value))

    def resource_cleanup_strategy(self, value: Any) -> Options:
        """A ResourceCleanupStrategy."""
        return self._set("resource_cleanup_strategy", ResourceCleanupStrategy(value))

    def config(self, value: Any) -> Options:
        """A ConfigProto, its bytes, or None."""
        return self._set("config", value)

    def soft_marks(self, bytes: int, handles: int) -> Options:
        """Above either the background thread frees at once."""
        return self._set("soft_bytes", bytes)._set("soft_handles", handles)

    def hard_marks(self, bytes: int, handles: int) -> Options:
        """Above either the next operation frees first, down to the soft marks."""
        return self._set("hard_bytes", bytes)._set("hard_handles", handles)

    def safe_point_budget_us(self, value: int) -> Options:
        """Microseconds that one safe point may take; 0: as long as it needs."""
        return self._set("safe_point_budget_us", value)

    def memory_limit_bytes(self, value: int) -> Options:
        """Bytes that the session's values may take together; 0: no limit."""
        return self._set("memory_limit_bytes", value)

    def retained_warning_bytes(self, value: int) -> Options:
        """Bytes kept for close only, under ON_SESSION_CLOSE, of which to warn once; 0: never."""
        return self._set("retained_warning_bytes", value)

    def gc_pressure_bytes(self, value: int) -> Options:
        """Bytes of live values above which a safe point asks Python's garbage collector for a pass; 0: never."""
        return self._set("gc_pressure_bytes", value)

    def track_sites(self, value: bool) -> Options:
        """Whether values remember the line that made them, for `live_tensors` and the report at close."""
        return self._set("track_sites", value)

    def _set(self, name: str, value: Any) -> Options:
        if name != "config" and not isinstance(value, enum.Enum):
            check(**{name: value})
        self._chosen[name] = value
        return self

    def build(self) -> Any:
        """A new session with these options; the caller closes it."""
        return Options._session(**self._chosen)
