"""Decorators that mark functions and arguments as deprecated: they add a notice to the docstring and log a warning at
the call, by default once."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable
from typing import Any

from tinytf._src.framework.logs import tf_logging

__all__ = ["deprecated", "deprecated_arg_values", "deprecated_args"]

_Function = Callable[..., Any]
_DATE = re.compile(r"20\d\d-[01]\d-[0123]\d")


def _check(date: str | None, instructions: str) -> str:
    """The date of removal in words. Raises ValueError for a malformed date and for empty instructions."""
    if date is not None and not _DATE.match(date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")
    return "in a future version" if date is None else f"after {date}"


def _documented(doc: str | None, notice: str, suffix: str, lines: list[str]) -> str:
    """The docstring with a deprecation notice after its first line."""
    notes = "\n".join(["Warning: " + lines[0], *lines[1:]])
    if not doc:
        return f"{notice}\n\n{notes}"
    first, _, rest = inspect.cleandoc(doc).partition("\n")
    rest = rest.strip("\n")
    return f"{first} {suffix}\n\n{notes}" + (f"\n\n{rest}" if rest else "")


def _warn(warned: set[str], key: str, once: bool, text: str) -> None:
    """Logs a warning for the line that called the deprecated function; with `once`, only if `key` is not in `warned`
    yet."""
    frame = sys._getframe(2)
    place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    if once and key in warned:
        return
    warned.add(key)
    tf_logging.warning("From %s: %s", place, text)


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[_Function], _Function]:
    """Decorator that marks a function as deprecated.

    Args:
      date: str "YYYY-MM-DD", date of removal; None means an unspecified future version.
      instructions: str that tells what to use instead.
      warn_once: whether only the first call of the function logs a warning.

    Returns:
      The decorator.

    Raises:
      ValueError: for a malformed date or empty instructions.
    """
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
    """Wraps `func` so that it warns about each use that `is_used` reports; `what`, such as "arguments: `(a, b)`", goes
    into the docstring."""
    signature = inspect.signature(func)
    warned: set[str] = set()

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:
            given = {}  # calling the function raises the proper error
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
    """Decorator that marks arguments of a function as deprecated.

    Args:
      date: str "YYYY-MM-DD", date of removal; None means an unspecified future version.
      instructions: str that tells what to use instead.
      *deprecated_arg_names_or_tuples: names of arguments, or pairs (name, value) of which `value` may still be passed
        without a warning.
      **kwargs: `warn_once`, bool: whether each argument is warned about only once; True by default.

    Returns:
      The decorator. It raises ValueError if the function has no such argument.

    Raises:
      ValueError: for a malformed date, empty instructions, or if no argument is named.
    """
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
    """Decorator that marks some values of a function's arguments as deprecated.

    Args:
      date: str "YYYY-MM-DD", date of removal; None means an unspecified future version.
      instructions: str that tells what to use instead.
      warn_once: whether each value is warned about only once.
      **deprecated_kwargs: the deprecated value of each argument, by argument name.

    Returns:
      The decorator.

    Raises:
      ValueError: for a malformed date, empty instructions, or if no value is given.
    """
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
