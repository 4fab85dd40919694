"""The threads of this process."""

import contextlib
import os
import time
from pathlib import Path


def thread_ids():
    """The system's thread ids, which for a moment still include joined threads."""
    return set(os.listdir("/proc/self/task"))


def threads():
    """The number of threads."""
    return len(thread_ids())


def new_threads(before):
    """The threads that are not in `before`, an earlier result of `thread_ids`; threads of earlier tests may end
    meanwhile.
    """
    return thread_ids() - before


def new_threads_end(before):
    """Whether the threads that are not in `before` end within ten seconds."""
    end = time.monotonic() + 10
    while new_threads(before) and time.monotonic() < end:
        time.sleep(0.01)
    return not new_threads(before)


def thread_is_there(name):
    """Whether a thread with this name exists within ten seconds; a new thread sets its name itself."""
    end = time.monotonic() + 10
    while name not in _names() and time.monotonic() < end:
        time.sleep(0.01)
    return name in _names()


def _names():
    names = set()
    for thread in thread_ids():
        with contextlib.suppress(FileNotFoundError):  # it ended meanwhile
            names.add(Path(f"/proc/self/task/{thread}/comm").read_text().strip())
    return names


def threads_come_down_to(most):
    """Whether the number of threads drops to `most` within ten seconds."""
    end = time.monotonic() + 10
    while threads() > most and time.monotonic() < end:
        time.sleep(0.01)
    return threads() <= most
