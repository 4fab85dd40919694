"""The stacks of default graphs and default sessions, and functions that read them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context import execution
from tinytf._src.framework.context.context_stack import DefaultStack
from tinytf._src.framework.context.context_variable import ContextVariable
from tinytf._src.framework.context.entered_devices import enter_devices, innermost_devices, leave_devices

if TYPE_CHECKING:
    from tinytf._src.framework.graph.graph import Graph

__all__ = [
    "get_default_graph",
    "get_default_session",
    "has_default_graph",
    "has_global_graph",
    "reset_default_graph",
]


class _GraphStack(DefaultStack):
    """A stack whose entries also switch to graph mode: operations build graphs while a graph is entered, even if the
    process executes eagerly by default."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._modes = ContextVariable[tuple[Any, ...]](f"{name}_modes", ())

    def push(self, default: Any) -> int:
        self._modes.set((*self._modes.get(), (execution.enter_graph_mode(), enter_devices(default))))
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
        """Leaves the modes of entries that were removed."""
        modes, entries = self._modes.get(), len(self.stack)
        for mode, devices in reversed(modes[entries:]):
            execution.leave_mode(mode)
            leave_devices(devices)
        self._modes.set(modes[:entries])


default_graphs = _GraphStack("tinytf_default_graphs")
default_sessions = DefaultStack("tinytf_default_sessions")


class _GlobalGraph(threading.local):
    """The graph at the bottom of each thread's stack, created at first use."""

    graph: Graph | None = None


_global_graph = _GlobalGraph()
_make_graph: Callable[[], Graph]


def make_graphs_by(make: Callable[[], Graph]) -> None:
    """Sets the factory of the threads' global graphs; called by the module of `Graph`, which this module cannot
    import."""
    global _make_graph
    _make_graph = make


@tf_export("get_default_graph")
def get_default_graph() -> Graph:
    """The default graph: the innermost graph entered with `as_default` in the current context, else the thread's global
    graph."""
    entered: Graph | None = default_graphs.get()
    if entered is not None:
        return entered
    return global_graph()


def global_graph() -> Graph:
    """The graph at the bottom of the thread's stack."""
    graph = _global_graph.graph
    if graph is None:
        graph = _global_graph.graph = _make_graph()
    return graph


def graph_around(body: Any) -> Graph | None:
    """The graph in which the function with this body graph is created; None in eager mode."""
    if hasattr(body, "outer_graph"):
        return body.outer_graph
    stack = default_graphs.stack  # a plain graph that the program declared to be a function body
    place = stack.index(body) if body in stack else 0
    return stack[place - 1] if place else global_graph()


def has_default_graph() -> bool:
    """Whether a graph was entered with `as_default` in the Python context."""
    return bool(default_graphs.stack)


def has_global_graph() -> bool:
    """Whether this thread's global graph was created."""
    return _global_graph.graph is not None


@tf_export("reset_default_graph")
def reset_default_graph() -> None:
    """Replaces the calling thread's global graph by an empty one. Sessions of the old graph stay usable.

    Raises:
      AssertionError: inside `with graph.as_default()` or a variable scope.
    """
    if default_graphs.stack or innermost_devices() is not None:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting "
            "and create a new graph."
        )
    default_graphs.reset()
    _global_graph.graph = None


@tf_export("get_default_session")
def get_default_session() -> Any:
    """The innermost default session of the current context, or None."""
    return default_sessions.get()
