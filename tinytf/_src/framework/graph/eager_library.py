"""The functions that eager operations call, such as the branches of an eager `tf.raw_ops.If`.

Operations in the queue of an asynchronous session keep their functions in the engine, but not the Python objects that
own them, and hence not the Python functions that `py_func` operations call.
"""

from __future__ import annotations

import weakref
from typing import Any, Protocol

from tinytf import _core
from tinytf._src.framework.graph.graph import Graph


class Entered(Protocol):
    """A function that graphs can have in their libraries."""

    def enter(self, graph: Graph) -> str:
        """Adds the function to the graph's library if it is not there; returns its name."""


# Functions of the process by name; a program may name one that no graph has yet.
known: weakref.WeakValueDictionary[str, Entered] = weakref.WeakValueDictionary()

_owners: weakref.WeakSet[Any] = weakref.WeakSet()  # owners of functions in the eager library


def enter_function(function: Any, name: str) -> None:
    """Adds a function, which has `add_to_graph`, to the eager library, which keeps it as long as its owner lives. Raises
    InvalidArgumentError if the name belongs to a different function."""
    owner = known.get(name, function)
    if owner not in _owners:
        graph = Graph()
        function.add_to_graph(graph)
        _own(owner, name, graph)


def enter_named(name: str) -> None:
    """Adds the function of this name to the eager library, if there is such a function."""
    entry = known.get(name)
    if entry is not None and entry not in _owners:
        graph = Graph()
        entry.enter(graph)
        _own(entry, name, graph)


def _own(owner: Any, name: str, graph: Graph) -> None:
    _core.add_eager_function(name, graph._core)
    weakref.finalize(owner, _core.remove_eager_function, name).atexit = False
    _owners.add(owner)
