"""AutoGraph's status: whether functions called in the current context are converted."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from tinytf._src.framework.context.context_variable import ContextVariable


class Status(enum.Enum):
    """Whether AutoGraph converts the functions that the current function calls."""

    UNSPECIFIED = ""
    ENABLED = "enabled"
    DISABLED = "disabled"

    def __bool__(self) -> bool:
        return self is not Status.UNSPECIFIED


_status = ContextVariable("tinytf_autograph_status", Status.UNSPECIFIED)


def status() -> Status:
    """The status of the current context."""
    return _status.get()


def called_in(status: Status, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps `function` so that it runs with the given status."""

    def call(*args: Any, **kwargs: Any) -> Any:
        before = _status.get()
        _status.set(status)
        try:
            return function(*args, **kwargs)
        finally:
            _status.set(before)

    return call
