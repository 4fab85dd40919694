"""Checks of the program's arguments: functions by parameter names, hooks and listeners."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from tinytf._src.monitored_session.checkpoint_saver_listener import CheckpointSaverListener
from tinytf._src.training.session_run_hook import SessionRunHook


def fn_args(function: Callable[..., Any]) -> tuple[str, ...]:
    """Returns the names of the positional parameters, without `self` and the ones that `functools.partial` has
    bound."""
    if isinstance(function, functools.partial):
        names = fn_args(function.func)[len(function.args) :]
        return tuple(name for name in names if name not in function.keywords)
    called: Any = function
    if not inspect.ismethod(called) and inspect.ismethod(getattr(called, "__call__", None)):  # noqa: B004
        called = called.__call__
    names = tuple(inspect.getfullargspec(called).args)
    return names[1:] if inspect.ismethod(called) else names


def given_of(function: Callable[..., Any], **values: Any) -> dict[str, Any]:
    """Returns the values whose names are parameters of a function. Values are callables, called only if needed."""
    names = fn_args(function)
    return {name: make() for name, make in values.items() if name in names}


def check_positive(number: Any, name: str) -> None:
    """Raises ValueError for a number that is not positive; None is allowed."""
    if number is not None and number <= 0:
        raise ValueError(f"Must specify {name} > 0, given: {number}")


def checked_hooks(hooks: Iterable[Any] | None, refusal: str = "Hooks must be a SessionRunHook") -> list[SessionRunHook]:
    """Returns the hooks as a new list. TypeError, beginning with `refusal`, for objects that are not hooks."""
    found = list(hooks or ())
    for hook in found:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"{refusal}, given: {hook}")
    return found


def checked_listeners(listeners: Iterable[Any] | None) -> list[CheckpointSaverListener]:
    """Returns the listeners as a new list. TypeError for objects that are not listeners."""
    found = list(listeners or ())
    for listener in found:
        if not isinstance(listener, CheckpointSaverListener):
            raise TypeError(f"saving_listeners must be a list of CheckpointSaverListener, given: {listener}")
    return found
