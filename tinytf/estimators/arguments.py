"""What the program hands in: names of its functions' arguments, hooks and listeners."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from tinytf.monitoring.checkpoint_saver_listener import CheckpointSaverListener
from tinytf.training.session_run_hook import SessionRunHook


def fn_args(function: Callable[..., Any]) -> tuple[str, ...]:
    """Names of the arguments that may be given by position, without `self` and what `functools.partial` has given."""
    if isinstance(function, functools.partial):
        names = fn_args(function.func)[len(function.args) :]
        return tuple(name for name in names if name not in function.keywords)
    called: Any = function
    if not inspect.ismethod(called) and inspect.ismethod(getattr(called, "__call__", None)):  # noqa: B004
        called = called.__call__
    names = tuple(inspect.getfullargspec(called).args)
    return names[1:] if inspect.ismethod(called) else names


def given_of(function: Callable[..., Any], **values: Any) -> dict[str, Any]:
    """Those values whose names are arguments of a function; each is made, by calling it, only then."""
    names = fn_args(function)
    return {name: make() for name, make in values.items() if name in names}


def check_positive(number: Any, name: str) -> None:
    """ValueError for a number that is not positive; None is none."""
    if number is not None and number <= 0:
        raise ValueError(f"Must specify {name} > 0, given: {number}")


def checked_hooks(hooks: Iterable[Any] | None, refusal: str = "Hooks must be a SessionRunHook") -> list[SessionRunHook]:
    """The hooks as a new list. TypeError, with this beginning, for what is none."""
    found = list(hooks or ())
    for hook in found:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"{refusal}, given: {hook}")
    return found


def checked_listeners(listeners: Iterable[Any] | None) -> list[CheckpointSaverListener]:
    """The listeners as a new list. TypeError for what is none."""
    found = list(listeners or ())
    for listener in found:
        if not isinstance(listener, CheckpointSaverListener):
            raise TypeError(f"saving_listeners must be a list of CheckpointSaverListener, given: {listener}")
    return found
