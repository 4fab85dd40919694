"""Reads of resource variables, told to the tapes that record in a Python context and to the function that is being built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf import _core
from tinytf.framework.context_variable import ContextVariable
from tinytf.framework.default_graph import get_default_graph


class _Watchers:
    """Those of the calling context."""

    def __init__(self) -> None:
        self._callbacks = ContextVariable[tuple[Callable[[Any], None], ...]]("tinytf_variable_watchers", ())

    @property
    def callbacks(self) -> tuple[Callable[[Any], None], ...]:
        """All, oldest first."""
        return self._callbacks.get()

    def add(self, callback: Callable[[Any], None]) -> None:
        """`callback(variable)` is called before a variable is read, where a tape records."""
        self._callbacks.set((*self._callbacks.get(), callback))

    def remove(self, callback: Callable[[Any], None]) -> None:
        """Takes one away that was added; nothing happens if there is none."""
        callbacks = list(self._callbacks.get())
        if callback in callbacks:
            callbacks.remove(callback)
            self._callbacks.set(tuple(callbacks))


watchers = _Watchers()


def accessed_in_graph(variable: Any) -> None:
    """As `accessed`, where the read is an operation of the default graph: a function's body keeps a list of its variables."""
    get_default_graph().watch_variable(variable)
    accessed(variable)


def accessed(variable: Any) -> None:
    """Tells the watchers of the context that a variable is about to be read. Cheap where no tape records."""
    if _core.any_tape():
        for callback in watchers.callbacks:
            callback(variable)
