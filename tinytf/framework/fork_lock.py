"""Locks that a forked child finds free."""

from __future__ import annotations

import os
import threading
from typing import Any


def lock_held_over_forks() -> Any:
    """A new `threading.RLock`, for as long as the process lives: whoever forks takes it first, so that no other thread holds it
    then, and frees it in both processes. What is done under it must not wait for threads that fork."""
    lock = threading.RLock()
    os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock
