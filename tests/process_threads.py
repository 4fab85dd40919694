"""How many threads this process has."""

import os
import time


def threads():
    """The system's number, which for a moment counts some that were joined."""
    return len(os.listdir("/proc/self/task"))


def threads_come_down_to(most):
    """Whether there are no more threads than that, now or soon."""
    end = time.monotonic() + 10
    while threads() > most and time.monotonic() < end:
        time.sleep(0.01)
    return threads() <= most
