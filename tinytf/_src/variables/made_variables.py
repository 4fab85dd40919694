"""Notifies callbacks in the current context of variables created in eager mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.context.context_variable import ContextVariable

_callbacks = ContextVariable[tuple[Callable[[Any], None], ...]]("tinytf_made_variables", ())


def made(variable: Any) -> None:
    """Notifies the callbacks of a variable that has its initial value."""
    for callback in _callbacks.get():
        callback(variable)


@contextmanager
def watch_made_variables(callback: Callable[[Any], None]) -> Iterator[None]:
    """Context manager in which `callback(variable)` is called for each new variable."""
    before = _callbacks.get()
    _callbacks.set((*before, callback))
    try:
        yield
    finally:
        _callbacks.set(before)
