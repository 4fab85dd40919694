"""The graph whose functions eager operations call, such as the branches of an eager `tf.raw_ops.If`."""

from __future__ import annotations

import functools
import weakref
from typing import Protocol

from tinytf import _core
from tinytf._src.framework.graph.graph import Graph


class Entered(Protocol):
    """A function that graphs can have in their libraries."""

    def enter(self, graph: Graph) -> str:
        """Adds the function to the graph's library if it is not there; returns its name."""


# Functions of the process by name; a program may name one that no graph has yet.
known: weakref.WeakValueDictionary[str, Entered] = weakref.WeakValueDictionary()


@functools.cache
def eager_library() -> Graph:
    """Returns the graph, of which there is one in a process. It keeps its functions."""
    graph = Graph()
    _core.set_eager_library(graph._core)
    return graph


def enter_named(name: str) -> None:
    """Adds the function of this name to the eager library, if there is such a function."""
    library = eager_library()
    entry = known.get(name)
    if entry is not None:
        entry.enter(library)
