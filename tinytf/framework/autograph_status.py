"""Whether AutoGraph rewrites functions where the program is."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from tinytf.framework.context_variable import ContextVariable


class Status(enum.Enum):
    """What a function says of those that it calls."""

    UNSPECIFIED = ""
    ENABLED = "enabled"
    DISABLED = "disabled"

    def __bool__(self) -> bool:
        return self is not Status.UNSPECIFIED


_status = ContextVariable("tinytf_autograph_status", Status.UNSPECIFIED)


def status() -> Status:
    """What holds now."""
    return _status.get()


def called_in(status: Status, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as one that is called where another status holds."""

    def call(*args: Any, **kwargs: Any) -> Any:
        before = _status.get()
        _status.set(status)
        try:
            return function(*args, **kwargs)
        finally:
            _status.set(before)

    return call
