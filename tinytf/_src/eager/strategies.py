"""Options of eager sessions."""

from __future__ import annotations

import enum
import numbers
from typing import Any

import numpy as np

from tinytf._src.framework.errors.errors_impl import InvalidArgumentError


class ResourceCleanupStrategy(enum.IntEnum):
    """When a session frees the values that the program no longer refers to. Closing it frees all of them."""

    IN_BACKGROUND = 0
    """A thread of the session frees them soon."""
    ON_SAFE_POINTS = 1
    """The next call of the session that is a safe point frees them, without a thread."""
    ON_SESSION_CLOSE = 2
    """They are freed only when the session is closed."""


class DevicePlacementPolicy(enum.IntEnum):
    """How an operation treats an input on another device."""

    EXPLICIT = 0
    """Raises an error."""
    WARN = 1
    """Accepts the input and logs a warning."""
    SILENT = 2
    """Accepts the input."""
    SILENT_FOR_INT32 = 3
    """Accepts the input if it is int32; otherwise raises an error."""


_FLAGS = ("async_", "track_sites")


def check(**options: Any) -> None:
    """Checks options as the constructor of EagerSession takes them; they may be a subset.

    TypeError for flags that are not bools and numbers that are not ints; InvalidArgumentError for negative numbers, and
    for a hard mark below the soft one.
    """
    for name, value in options.items():
        if name in _FLAGS:
            if not isinstance(value, (bool, np.bool_)):
                raise TypeError(f"{name} must be a bool, not {value!r}")
        elif isinstance(value, bool) or not isinstance(value, numbers.Integral):
            raise TypeError(f"{name} must be an int, not {value!r}")
        elif value < 0:
            raise InvalidArgumentError(None, None, f"{name} must not be negative, but is {value}")
    for what in ("bytes", "handles"):
        soft, hard = options.get(f"soft_{what}", 0), options.get(f"hard_{what}")
        if hard is not None and soft > hard:
            raise InvalidArgumentError(None, None, f"soft_{what} ({soft}) must not be larger than hard_{what} ({hard})")


class Options:
    """Collects options of sessions. Setters return the object; `build` makes a session and may be called again.

    Setters raise the errors of EagerSession's constructor for invalid values.
    """

    _session: Any  # EagerSession, set by its module

    def __init__(self) -> None:
        self._chosen: dict[str, Any] = {}

    def async_(self, value: bool) -> Options:
        """Sets whether operations run on a thread of the session while the program goes on."""
        return self._set("async_", value)

    def device_placement_policy(self, value: Any) -> Options:
        """Sets the `DevicePlacementPolicy`."""
        return self._set("device_placement_policy", DevicePlacementPolicy(value))

    def resource_cleanup_strategy(self, value: Any) -> Options:
        """Sets the `ResourceCleanupStrategy`."""
        return self._set("resource_cleanup_strategy", ResourceCleanupStrategy(value))

    def config(self, value: Any) -> Options:
        """Sets the config: a ConfigProto, its bytes, or None."""
        return self._set("config", value)

    def soft_marks(self, bytes: int, handles: int) -> Options:
        """Sets the soft marks: if the queued values exceed either, the background thread frees them at once."""
        return self._set("soft_bytes", bytes)._set("soft_handles", handles)

    def hard_marks(self, bytes: int, handles: int) -> Options:
        """Sets the hard marks: if the queued values exceed either, the next operation first frees down to the soft
        marks."""
        return self._set("hard_bytes", bytes)._set("hard_handles", handles)

    def safe_point_budget_us(self, value: int) -> Options:
        """Sets how many microseconds one safe point may take; 0: no limit."""
        return self._set("safe_point_budget_us", value)

    def memory_limit_bytes(self, value: int) -> Options:
        """Sets how many bytes the session's values may take together; 0: no limit."""
        return self._set("memory_limit_bytes", value)

    def retained_warning_bytes(self, value: int) -> Options:
        """Sets the number of retained bytes, under ON_SESSION_CLOSE, at which to warn once; 0: never."""
        return self._set("retained_warning_bytes", value)

    def gc_pressure_bytes(self, value: int) -> Options:
        """Sets the bytes of live values above which a safe point requests a run of Python's garbage collector; 0:
        never."""
        return self._set("gc_pressure_bytes", value)

    def track_sites(self, value: bool) -> Options:
        """Sets whether values remember the line that made them, for `live_tensors` and the report at close."""
        return self._set("track_sites", value)

    def _set(self, name: str, value: Any) -> Options:
        if name != "config" and not isinstance(value, enum.Enum):
            check(**{name: value})
        self._chosen[name] = value
        return self

    def build(self) -> Any:
        """Returns a new session with these options; the caller must close it."""
        return Options._session(**self._chosen)
