"""Whether AutoGraph rewrites functions where the program is."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import contextmanager

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


@contextmanager
def entered(status: Status) -> Iterator[None]:
    """Another status in the body."""
    before = _status.get()
    _status.set(status)
    try:
        yield
    finally:
        _status.set(before)
