"""Where files cost little."""

import os


def memory_folder() -> str | None:
    """A folder whose files are in memory, if the system has one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
