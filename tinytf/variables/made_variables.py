"""Who wants to know which variables are made in a Python context, where operations are executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf.framework.context_variable import ContextVariable

_callbacks = ContextVariable[tuple[Callable[[Any], None], ...]]("tinytf_made_variables", ())


def made(variable: Any) -> None:
    """Tells of a variable that has its initial value."""
    for callback in _callbacks.get():
        callback(variable)


@contextmanager
def watch_made_variables(callback: Callable[[Any], None]) -> Iterator[None]:
    """`callback(variable)` is called for each variable that is made within."""
    before = _callbacks.get()
    _callbacks.set((*before, callback))
    try:
        yield
    finally:
        _callbacks.set(before)
