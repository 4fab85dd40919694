"""The default graph and the default session."""

from __future__ import annotations

import threading
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.context.defaults import default_graphs, default_sessions
from tinytf._src.framework.context.entered_devices import innermost_devices
from tinytf._src.framework.graph.graph import Graph

__all__ = [
    "get_default_graph",
    "get_default_session",
    "has_default_graph",
    "has_global_graph",
    "reset_default_graph",
]


class _GlobalGraph(threading.local):
    """The graph at the bottom of each thread's stack, created at first use."""

    graph: Graph | None = None


_global_graph = _GlobalGraph()


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
        graph = _global_graph.graph = Graph()
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
