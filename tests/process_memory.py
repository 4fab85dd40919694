"""How much memory this process has."""

import os


def resident_bytes():
    """The bytes of this process that are in memory, but for files': the system drops and reads those as it likes."""
    with open("/proc/self/statm") as file:
        _, resident, files, *_ = file.read().split()
        return (int(resident) - int(files)) * os.sysconf("SC_PAGESIZE")
