"""Tracebacks as a user wants them: the own program, and of this package only the function that was called."""

from __future__ import annotations

import inspect
import os
import sys
from types import FrameType, TracebackType
from typing import TypeVar

from tinytf.framework.error_interpolation import is_users_file
from tinytf.framework.errors_impl import OpError

_Error = TypeVar("_Error", bound=BaseException)

# What the library says of a call's arguments and of a failed step; other errors keep their frames.
REPORTED = (OpError, AttributeError, TypeError, ValueError, LookupError, OverflowError, RuntimeError)


def without_own_frames(error: _Error) -> _Error:
    """The error with this package's frames taken out of its traceback, to be raised by the function that was called.

    Frames of other files stay: those of a function of the user's that the package has called. With the environment
    variable TINYTF_FULL_TRACEBACKS set, for those who look for errors in this package, all frames stay.
    """
    if os.environ.get("TINYTF_FULL_TRACEBACKS"):
        return error
    kept = []
    traceback = error.__traceback__
    while traceback is not None:
        if is_users_file(traceback.tb_frame.f_code.co_filename):
            kept.append(traceback)
        traceback = traceback.tb_next
    clean = None
    for entry in reversed(kept):
        clean = TracebackType(clean, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return error.with_traceback(clean)


def _hide(frame: FrameType) -> None:
    """Has notebooks and pytest leave a function's frame out of the tracebacks that they show."""
    if not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return  # of a module or a class, whose variables these are
    variables = frame.f_locals
    if sys.version_info < (3, 13):
        variables.clear()  # it is a copy, which would keep the values alive, the error among them
    variables["__tracebackhide__"] = True


def without_building_frames(error: _Error, note: str) -> _Error:
    """As `without_own_frames`, for errors of functions that are called by others of this package.

    The frames of the callers cannot be taken out before they are left. They are marked, so that notebooks and pytest leave
    them out of what they show. `note` is what an error about arguments says besides its text, where Python can show such.
    """
    if os.environ.get("TINYTF_FULL_TRACEBACKS"):
        return error
    frame = sys._getframe(1)
    while frame is not None:
        if not is_users_file(frame.f_code.co_filename):
            _hide(frame)
        frame = frame.f_back  # type: ignore[assignment]
    about_arguments = isinstance(error, (OpError, TypeError, ValueError))
    if about_arguments and hasattr(error, "add_note") and note not in getattr(error, "__notes__", ()):
        error.add_note(note)
    return without_own_frames(error)
