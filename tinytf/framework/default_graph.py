"""The stacks of default graphs and default sessions, and the functions that look at them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from tinytf.framework import execution
from tinytf.framework.context_stack import DefaultStack

if TYPE_CHECKING:
    from tinytf.framework.graph import Graph

__all__ = [
    "get_default_graph",
    "get_default_session",
    "has_default_graph",
    "has_global_graph",
    "reset_default_graph",
]


class _GraphStack(DefaultStack):
    """Operations build graphs while one was entered, whatever the process does by default."""

    def __init__(self) -> None:
        super().__init__()
        self._modes: list[int] = []  # how operations ran before each entry

    def push(self, default: Any) -> int:
        self._modes.append(execution.enter_graph_mode())
        return super().push(default)

    def pop(self, default: Any) -> None:
        super().pop(default)
        self._leave_modes()

    def leave(self, default: Any, place: int) -> None:
        try:
            super().leave(default, place)
        finally:
            self._leave_modes()

    def remove(self, default: Any) -> None:
        super().remove(default)
        self._leave_modes()

    def reset(self) -> None:
        super().reset()
        self._leave_modes()

    def _leave_modes(self) -> None:
        """Ends the modes of entries that are gone: each found the mode that the one below it had made."""
        while len(self._modes) > len(self.stack):
            execution.leave_mode(self._modes.pop())


default_graphs = _GraphStack()
default_sessions = DefaultStack()


class _GlobalGraph(threading.local):
    """The graph at the bottom of each thread's stack, made when first needed."""

    graph: Graph | None = None


_global_graph = _GlobalGraph()


def get_default_graph() -> Graph:
    """The innermost graph entered with `as_default` on this thread, else the thread's global graph."""
    stack = default_graphs.stack
    if stack:
        return stack[-1]
    graph = _global_graph.graph
    if graph is None:
        from tinytf.framework.graph import Graph

        graph = _global_graph.graph = Graph()
    return graph


def has_default_graph() -> bool:
    """Whether a graph was entered with `as_default` on this thread."""
    return bool(default_graphs.stack)


def has_global_graph() -> bool:
    """Whether this thread's global graph was asked for."""
    return _global_graph.graph is not None


def reset_default_graph() -> None:
    """Replaces the thread's global graph by an empty one. AssertionError inside `with graph.as_default()`."""
    if default_graphs.stack:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting "
            "and create a new graph."
        )
    default_graphs.reset()
    _global_graph.graph = None


def get_default_session() -> Any:
    """The innermost default session of this thread, or None."""
    return default_sessions.get()
