"""How branches and loops are built: of primitives, or as nodes that call functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.framework.default_graph import get_default_graph


class _Nodes:
    """What builds nodes that call functions: handed down by those who trace functions."""

    def __init__(self) -> None:
        self.is_wanted = False  # in graphs that are no functions
        self.build_branches: Callable[..., Any]
        self.build_while: Callable[..., Any]


nodes = _Nodes()


def builds_nodes() -> bool:
    """Whether a loop that is built now is a node that calls functions."""
    return nodes.is_wanted or get_default_graph().calls_functions
