"""How many threads this process has."""

import contextlib
import os
import time
from pathlib import Path


def thread_ids():
    """Those of the system, which for a moment has some that were joined."""
    return set(os.listdir("/proc/self/task"))


def threads():
    """The number of them."""
    return len(thread_ids())


def new_threads(before):
    """Those that were not among `before`, what `thread_ids` gave: those of earlier tests may end meanwhile."""
    return thread_ids() - before


def new_threads_end(before):
    """Whether there are no such threads, now or soon."""
    end = time.monotonic() + 10
    while new_threads(before) and time.monotonic() < end:
        time.sleep(0.01)
    return not new_threads(before)


def thread_is_there(name):
    """Whether there is a thread of that name, now or soon: a new one gives itself its name."""
    end = time.monotonic() + 10
    while name not in _names() and time.monotonic() < end:
        time.sleep(0.01)
    return name in _names()


def _names():
    names = set()
    for thread in thread_ids():
        with contextlib.suppress(FileNotFoundError):  # it has ended meanwhile
            names.add(Path(f"/proc/self/task/{thread}/comm").read_text().strip())
    return names


def threads_come_down_to(most):
    """Whether there are no more threads than that, now or soon."""
    end = time.monotonic() + 10
    while threads() > most and time.monotonic() < end:
        time.sleep(0.01)
    return threads() <= most
