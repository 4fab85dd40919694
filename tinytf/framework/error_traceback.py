"""Tracebacks as a user wants them: the own program."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, TypeVar

from tinytf.framework.creation_line import is_users_file
from tinytf.framework.errors_impl import OpError

_Error = TypeVar("_Error", bound=BaseException)
_Function = TypeVar("_Function", bound=Callable[..., Any])

# What the library says of a call's arguments and of a failed step; other errors keep their frames.
REPORTED = (OpError, AttributeError, TypeError, ValueError, LookupError, OverflowError, OSError, RuntimeError)


def without_own_frames(error: _Error) -> _Error:
    """The error with this package's frames taken out of its traceback, to be raised by the function that was called.

    Frames of other files stay: those of a function of the user's that the package has called. Errors that look like
    mistakes of this package (`_is_meant`) keep all frames, and so do all with the environment variable
    TINYTF_FULL_TRACEBACKS set, for those who look for errors in this package.
    """
    if os.environ.get("TINYTF_FULL_TRACEBACKS") or not _is_meant(error):
        return error
    return error.with_traceback(_users_part(error.__traceback__))


def leave_to_user() -> None:
    """Takes this package's frames, the caller's among them, out of the traceback of the error that is being handled.

    For functions that users call, in an `except REPORTED` clause that then ends in a bare `raise`, which adds no frame: the
    traceback begins at the user's call again. That costs nothing as long as there is no error. Before Python 3.11 the
    function that was called stays. See `without_own_frames` for the errors that keep all.
    """
    error = sys.exc_info()[1]
    if error is None or os.environ.get("TINYTF_FULL_TRACEBACKS") or not _is_meant(error):
        return
    traceback = error.__traceback__
    error.__traceback__ = clean = _users_part(traceback)
    if sys.version_info < (3, 11) and traceback is not None:  # a bare `raise` takes this one
        if clean is not None and clean.tb_frame is traceback.tb_frame:
            clean = clean.tb_next  # a user's own frame, which is there already
        traceback.tb_next = clean
    context = error.__context__
    if context is not None and not _caught_by_user(context.__traceback__):
        error.__suppress_context__ = True


def called_by_users(function: _Function) -> _Function:
    """The function with `leave_to_user` around it. It costs a call: for functions that make several operations."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except REPORTED:
            leave_to_user()
            raise

    return call  # type: ignore[return-value]


class Leaving:
    """`with Leaving(): raise …` raises an error as one that `leave_to_user` was called for."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: Any) -> None:
        leave_to_user()


def leave_block(error: BaseException) -> None:
    """As `leave_to_user`, in the `__exit__` of a context manager, for functions of this package that are one such block."""
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
    """A traceback begins where the error was caught; one of what this package caught may have been cut already."""
    return traceback is not None and is_users_file(traceback.tb_frame.f_code.co_filename)


# Set in an error once it is known to be meant: of its traceback, which tells that, nothing may be left to ask again.
_MEANT = "_is_meant_by_tinytf"


def _is_meant(error: BaseException) -> bool:
    """Whether an error tells of what the user did: raised by a statement or a call of this package (the engine, NumPy, a
    conversion), or by the user's own function. What Python raises by itself, for an attribute that is not there or an
    operand that does not fit, is a mistake of this package."""
    traceback = error.__traceback__
    if traceback is None or isinstance(error, OpError) or _MEANT in error.__dict__:
        return True
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    if not is_users_file(traceback.tb_frame.f_code.co_filename):
        from opcode import opname

        code, at = traceback.tb_frame.f_code.co_code, traceback.tb_lasti
        while code[at] == 0 and at > 0:  # what Python keeps behind an instruction
            at -= 2
        instruction = opname[code[at]]
        if "CALL" not in instruction and instruction not in ("RAISE_VARARGS", "RERAISE"):
            return False
    error.__dict__[_MEANT] = True
    return True


def _hide(frame: FrameType) -> None:
    """Has notebooks and pytest leave a function's frame out of the tracebacks that they show."""
    if not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return  # of a module or a class, whose variables these are
    variables = frame.f_locals
    if sys.version_info < (3, 13):
        variables.clear()  # it is a copy, which would keep the values alive, the error among them
    variables["__tracebackhide__"] = True


def leave_building(error: BaseException, note: str) -> None:
    """As `leave_to_user`, for errors of functions that are called by others of this package.

    The frames of the callers cannot be taken out before they are left. Those that do not take themselves out are marked, so
    that notebooks and pytest leave them out of what they show. `note` is what an error about arguments says besides its
    text, where Python can show such.
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
