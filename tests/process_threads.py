"""How many threads this process has."""

import os
import time


def thread_ids():
    """Those of the system, which for a moment has some that were joined."""
    return set(os.listdir("/proc/self/task"))


def threads():
    """The number of them."""
    return len(thread_ids())


def threads_come_down_to(most):
    """Whether there are no more threads than that, now or soon."""
    end = time.monotonic() + 10
    while threads() > most and time.monotonic() < end:
        time.sleep(0.01)
    return threads() <= most
