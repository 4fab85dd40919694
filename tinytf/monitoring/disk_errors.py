"""What a disk says that is full or must not be written: training goes on, later writes may do better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.framework import errors_impl, tf_logging

# OutOfRangeError is said of files that may not become so large; raised from a step it would be the end of the input.
DISK_ERRORS = (
    errors_impl.ResourceExhaustedError,
    errors_impl.PermissionDeniedError,
    errors_impl.OutOfRangeError,
    OSError,
)


def write_events(write: Callable[..., Any], *args: Any) -> None:
    """Calls a method of a writer of events. What it says of the disk is logged as an error."""
    try:
        write(*args)
    except DISK_ERRORS as error:
        tf_logging.error("Training goes on, but events were not written: %s", str(error))
