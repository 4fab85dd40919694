"""Who wants to know which variables a thread's operations read: the tapes that watch what is read."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tinytf import _core


class _Watchers(threading.local):
    def __init__(self) -> None:
        self.callbacks: list[Callable[[Any], None]] = []


watchers = _Watchers()


def accessed(variable: Any) -> None:
    """Tells the watchers of this thread that a variable is about to be read. Cheap where no tape records."""
    if _core.any_tape():
        for callback in watchers.callbacks:
            callback(variable)
