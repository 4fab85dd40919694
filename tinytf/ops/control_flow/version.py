"""How branches and loops are built: of primitives, or as nodes that call functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf.framework.context_variable import ContextVariable
from tinytf.framework.default_graph import get_default_graph

_in_function = ContextVariable("in_function", False)


class _Nodes:
    """What builds nodes that call functions: handed down by those who trace functions."""

    def __init__(self) -> None:
        self.is_wanted = False  # in graphs that are no functions
        self.build_branches: Callable[..., Any]
        self.build_while: Callable[..., Any]


nodes = _Nodes()


@contextmanager
def as_in_functions() -> Iterator[None]:
    """In the body branches and loops of any graph are built as those of functions."""
    before = _in_function.get()
    _in_function.set(True)
    try:
        yield
    finally:
        _in_function.set(before)


def builds_nodes() -> bool:
    """Whether a branch or loop that is built now is a node that calls functions."""
    return nodes.is_wanted or _in_function.get() or get_default_graph().calls_functions
