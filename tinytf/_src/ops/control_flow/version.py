"""The choice between control flow from primitives (version 1) and nodes that call functions (version 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.context.context_variable import ContextVariable
from tinytf._src.framework.graph.default_graph import get_default_graph

_in_function = ContextVariable("in_function", False)


class _Nodes:
    """The builders of nodes that call functions, installed by the module that traces functions to avoid a dependency on
    it.
    """

    def __init__(self) -> None:
        self.is_wanted = False  # Applies to graphs that are not functions.
        self.build_branches: Callable[..., Any]
        self.build_while: Callable[..., Any]


nodes = _Nodes()


@contextmanager
def as_in_functions() -> Iterator[None]:
    """Context manager in which branches and loops of any graph are built as in function graphs."""
    before = _in_function.get()
    _in_function.set(True)
    try:
        yield
    finally:
        _in_function.set(before)


def builds_nodes() -> bool:
    """Returns whether a branch or loop that is built now becomes a node that calls functions."""
    return nodes.is_wanted or _in_function.get() or get_default_graph().calls_functions
