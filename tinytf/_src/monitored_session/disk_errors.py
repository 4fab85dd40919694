"""Disk errors that a training survives, as later writes may succeed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging

# OutOfRangeError stands for the file size limit; raised from a step it would mean the end of the input.
DISK_ERRORS = (
    errors_impl.ResourceExhaustedError,
    errors_impl.PermissionDeniedError,
    errors_impl.OutOfRangeError,
    OSError,
)


def write_events(write: Callable[..., Any], *args: Any) -> None:
    """Calls a method of an event writer. Disk errors are logged."""
    try:
        write(*args)
    except DISK_ERRORS as error:
        tf_logging.error("Training continues, but events were not written: %s", str(error))
