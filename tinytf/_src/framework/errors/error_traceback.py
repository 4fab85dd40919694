"""Removes this package's frames from tracebacks that users see."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, TypeVar

from tinytf._src.framework.errors.errors_impl import OpError
from tinytf._src.framework.sites.creation_line import is_users_file

_Error = TypeVar("_Error", bound=BaseException)
_Function = TypeVar("_Function", bound=Callable[..., Any])

# Errors about a call's arguments or a failed step; other errors keep their frames.
REPORTED = (OpError, AttributeError, TypeError, ValueError, LookupError, OverflowError, OSError, RuntimeError)


def without_own_frames(error: _Error) -> _Error:
    """The error without this package's frames in its traceback, to be raised by the function that the user called.

    Frames of other files stay, such as a user's function that the package called. All frames stay for errors
    that look like bugs of this package (see `_is_meant`) and if the environment variable TINYTF_FULL_TRACEBACKS is set,
    which helps to debug this package.
    """
    if os.environ.get("TINYTF_FULL_TRACEBACKS") or not _is_meant(error):
        return error
    return error.with_traceback(_users_part(error.__traceback__))


def leave_to_user() -> None:
    """Removes this package's frames, including the caller's, from the traceback of the error that is being handled.

    Call it in functions that users call, in an `except REPORTED` clause that ends in a bare `raise`, which adds no
    frame: the traceback then begins at the user's call. Without an error, this costs nothing. Before Python 3.11, the
    frame of the called function remains. See `without_own_frames` for the errors that keep all frames.
    """
    error = sys.exc_info()[1]
    if error is None or os.environ.get("TINYTF_FULL_TRACEBACKS") or not _is_meant(error):
        return
    traceback = error.__traceback__
    error.__traceback__ = clean = _users_part(traceback)
    if sys.version_info < (3, 11) and traceback is not None:  # a bare `raise` uses this traceback object
        if clean is not None and clean.tb_frame is traceback.tb_frame:
            clean = clean.tb_next  # the user's own frame, which is there already
        traceback.tb_next = clean
    context = error.__context__
    if context is not None and not _caught_by_user(context.__traceback__):
        error.__suppress_context__ = True


def called_by_users(function: _Function) -> _Function:
    """Wraps `function` with `leave_to_user`. This costs a call; meant for functions that create several operations."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except REPORTED:
            leave_to_user()
            raise

    return call  # type: ignore[return-value]


class Leaving:
    """`with Leaving(): raise …` raises an error after `leave_to_user`."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        leave_to_user()


def leave_block(error: BaseException) -> None:
    """Calls `leave_to_user` from the `__exit__` of a context manager, if the `with` statement is in a function of this
    package."""
    if isinstance(error, REPORTED) and not is_users_file(sys._getframe(2).f_code.co_filename):
        leave_to_user()


def _users_part(traceback: TracebackType | None) -> TracebackType | None:
    kept = []
    while traceback is not None:
        if is_users_file(traceback.tb_frame.f_code.co_filename):
            kept.append(traceback)
        traceback = traceback.tb_next
    clean = None
    for entry in reversed(kept):
        clean = TracebackType(clean, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return clean


def _caught_by_user(traceback: TracebackType | None) -> bool:
    """Whether the error with this traceback was caught by user code: a traceback begins where the error was caught. If
    this package caught it, the traceback may have been cut already."""
    return traceback is not None and is_users_file(traceback.tb_frame.f_code.co_filename)


# Marks an error that was classified as meant: the evidence, its traceback, may be removed afterwards.
_MEANT = "_is_meant_by_tinytf"


def _is_meant(error: BaseException) -> bool:
    """Whether an error reports a mistake of the user: it was raised by a `raise` statement or a call in this package
    (of the engine, NumPy or a conversion), or by user code. Errors that the interpreter raises in this package by
    itself, such as a missing attribute or an unsupported operand, are bugs of this package."""
    traceback = error.__traceback__
    if traceback is None or isinstance(error, OpError) or _MEANT in error.__dict__:
        return True
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    if not is_users_file(traceback.tb_frame.f_code.co_filename):
        from opcode import opname

        code, at = traceback.tb_frame.f_code.co_code, traceback.tb_lasti
        while code[at] == 0 and at > 0:  # inline caches after an instruction
            at -= 2
        instruction = opname[code[at]]
        if "CALL" not in instruction and instruction not in ("RAISE_VARARGS", "RERAISE"):
            return False
    error.__dict__[_MEANT] = True
    return True


def _hide(frame: FrameType) -> None:
    """Makes notebooks and pytest omit a frame from displayed tracebacks."""
    if not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return  # a module or class body, whose variables must not change
    variables = frame.f_locals
    if sys.version_info < (3, 13):
        variables.clear()  # a snapshot that would keep the values alive, including the error
    variables["__tracebackhide__"] = True


def leave_building(error: BaseException, note: str) -> None:
    """Like `leave_to_user`, for errors of functions that other functions of this package call.

    Frames of callers cannot be removed before they are left. Callers that do not remove themselves are marked, so that
    notebooks and pytest omit them. `note` is attached to errors about arguments, in Python versions with exception
    notes.
    """
    if os.environ.get("TINYTF_FULL_TRACEBACKS") or not _is_meant(error):
        return
    frame = sys._getframe(1)
    while frame is not None:
        if not is_users_file(frame.f_code.co_filename):
            _hide(frame)
        frame = frame.f_back  # type: ignore[assignment]
    about_arguments = isinstance(error, (OpError, TypeError, ValueError))
    if about_arguments and hasattr(error, "add_note") and note not in getattr(error, "__notes__", ()):
        error.add_note(note)
    leave_to_user()
