"""Notifies gradient tapes and the function being traced of reads of resource variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf import _core
from tinytf._src.framework.context.context_variable import ContextVariable
from tinytf._src.framework.graph.default_graph import get_default_graph


class _Watchers:
    """The callbacks of the current context."""

    def __init__(self) -> None:
        self._callbacks = ContextVariable[tuple[Callable[[Any], None], ...]]("tinytf_variable_watchers", ())

    @property
    def callbacks(self) -> tuple[Callable[[Any], None], ...]:
        """All callbacks, oldest first."""
        return self._callbacks.get()

    def add(self, callback: Callable[[Any], None]) -> None:
        """Registers `callback(variable)`, which is called before a variable is read while a tape records."""
        self._callbacks.set((*self._callbacks.get(), callback))

    def remove(self, callback: Callable[[Any], None]) -> None:
        """Removes a callback; does nothing if it is not registered."""
        callbacks = list(self._callbacks.get())
        if callback in callbacks:
            callbacks.remove(callback)
            self._callbacks.set(tuple(callbacks))


watchers = _Watchers()


def accessed_in_graph(variable: Any) -> None:
    """Like `accessed`, for a read operation in the default graph: function bodies keep a list of their variables."""
    get_default_graph().watch_variable(variable)
    accessed(variable)


def accessed(variable: Any) -> None:
    """Notifies the watchers of the context that a variable is about to be read. Cheap if no tape records."""
    if _core.any_tape():
        for callback in watchers.callbacks:
            callback(variable)
