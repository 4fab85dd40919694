"""Functions and arguments that a library wants to be rid of: their documentation says so, and so does a warning where they
are used, once for each place."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable
from typing import Any

from tinytf.framework import tf_logging

__all__ = ["deprecated", "deprecated_arg_values", "deprecated_args"]

_Function = Callable[..., Any]
_DATE = re.compile(r"20\d\d-[01]\d-[0123]\d")


def _check(date: str | None, instructions: str) -> str:
    """When it goes, in words. ValueError for what is no date, and without instructions."""
    if date is not None and not _DATE.match(date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")
    return "in a future version" if date is None else f"after {date}"


def _documented(doc: str | None, notice: str, suffix: str, lines: list[str]) -> str:
    """The documentation with a notice after its first line."""
    notes = "\n".join(["Warning: " + lines[0], *lines[1:]])
    if not doc:
        return f"{notice}\n\n{notes}"
    first, _, rest = inspect.cleandoc(doc).partition("\n")
    rest = rest.strip("\n")
    return f"{first} {suffix}\n\n{notes}" + (f"\n\n{rest}" if rest else "")


def _warn(warned: set[str], key: str, once: bool, text: str) -> None:
    """Warns of the line that called the function, at most once if so; `warned` are the keys that it was warned of."""
    frame = sys._getframe(2)
    place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    if once and key in warned:
        return
    warned.add(key)
    tf_logging.warning("From %s: %s", place, text)


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[_Function], _Function]:
    """The decorator of a function that goes after this day, or some day: what to use instead is in the instructions."""
    when = _check(date, instructions)

    def decorator(func: _Function) -> _Function:
        warned: set[str] = set()

        @functools.wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            text = (
                f"{func.__qualname__} (from {func.__module__}) is deprecated and will be removed {when}.\n"
                f"Instructions for updating:\n{instructions}"
            )
            _warn(warned, "", warn_once, text)
            return func(*args, **kwargs)

        lines = [f"THIS FUNCTION IS DEPRECATED. It will be removed {when}.", "Instructions for updating:", instructions]
        wrapper.__doc__ = _documented(func.__doc__, "DEPRECATED FUNCTION", "(deprecated)", lines)
        return wrapper

    return decorator


def _warned_of(
    func: _Function,
    when: str,
    instructions: str,
    is_used: Callable[[dict[str, Any], Any], list[str]],
    once: bool,
    what: str,
) -> _Function:
    """The function with a warning of what `is_used` finds; `what`, "arguments: `(a, b)`", is for its documentation."""
    signature = inspect.signature(func)
    warned: set[str] = set()

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:
            given = {}  # the function itself says what is wrong
        for told in is_used(given, func):
            text = (
                f"calling {func.__qualname__} (from {func.__module__}) with {told} is deprecated and will be removed {when}.\n"
                f"Instructions for updating:\n{instructions}"
            )
            _warn(warned, told, once, text)
        return func(*args, **kwargs)

    kind, _, names = what.partition(": ")
    lines = [
        f"SOME {kind.upper()} ARE DEPRECATED: {names}. They will be removed {when}.",
        "Instructions for updating:",
        instructions,
    ]
    wrapper.__doc__ = _documented(func.__doc__, f"DEPRECATED FUNCTION {kind.upper()}", f"(deprecated {kind})", lines)
    return wrapper


def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> Callable[[_Function], _Function]:
    """The decorator of a function some of whose arguments go: their names, or pairs of a name and a value that may still be
    given."""
    when = _check(date, instructions)
    if not deprecated_arg_names_or_tuples:
        raise ValueError("Specify which argument is deprecated.")
    pairs = [a if isinstance(a, tuple) else (a, inspect.Parameter.empty) for a in deprecated_arg_names_or_tuples]
    harmless: dict[str, Any] = dict(pairs)

    def used(given: dict[str, Any], func: Any) -> list[str]:
        return [n for n, ok in harmless.items() if n in given and (ok is inspect.Parameter.empty or given[n] != ok)]

    def decorator(func: _Function) -> _Function:
        spec = inspect.getfullargspec(inspect.unwrap(func))
        known = [*spec.args, spec.varargs, spec.varkw]
        missing = [name for name in harmless if name not in known]
        if missing:
            raise ValueError(
                f"The following deprecated arguments are not present in the function signature: {missing}. "
                f"Found next arguments: {known}."
            )
        names = f"arguments: `({', '.join(sorted(harmless))})`"
        return _warned_of(func, when, instructions, used, kwargs.get("warn_once", True), names)

    return decorator


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[[_Function], _Function]:
    """The decorator of a function some of whose arguments may not have these values any longer some day."""
    when = _check(date, instructions)
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def used(given: dict[str, Any], func: Any) -> list[str]:
        return [
            f"{name}={value}" for name, value in deprecated_kwargs.items() if name in given and given[name] == value
        ]

    def decorator(func: _Function) -> _Function:
        values = ", ".join(f"{name}={value!r}" for name, value in sorted(deprecated_kwargs.items()))
        return _warned_of(func, when, instructions, used, warn_once, f"argument values: `({values})`")

    return decorator
