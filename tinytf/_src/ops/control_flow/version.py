"""The choice between control flow from primitives (version 1) and nodes that call functions (version 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.framework.graph.default_graph import get_default_graph


class _Nodes:
    """The builders of nodes that call functions, installed by the module that traces functions to avoid a dependency on
    it.
    """

    def __init__(self) -> None:
        self.is_wanted = False  # Applies to graphs that are not functions.
        self.build_branches: Callable[..., Any]
        self.build_while: Callable[..., Any]


nodes = _Nodes()


def builds_nodes() -> bool:
    """Returns whether a branch or loop that is built now becomes a node that calls functions."""
    return nodes.is_wanted or get_default_graph().calls_functions
