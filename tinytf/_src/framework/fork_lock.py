"""Locks that are free in a forked child process."""

from __future__ import annotations

import os
import threading
from typing import Any


def lock_held_over_forks() -> Any:
    """A new `threading.RLock` that a forking thread acquires before the fork and releases in both processes, so that no
    other thread holds it in the child. It lives as long as the process. Code that holds it must not wait for threads
    that fork."""
    lock = threading.RLock()
    os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock
