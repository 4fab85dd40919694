"""How a graph grows after it was first run, and which lines of the program add to it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tinytf.framework.creation_line import place
from tinytf.framework.user_line import user_line

if TYPE_CHECKING:
    from tinytf.framework.graph import Graph


class Growth:
    """How a graph grows while sessions run it. Guarded by the graph's lock."""

    __slots__ = ("first", "seen", "runs", "repetitions", "warned", "cells", "warned_of_cells")

    def __init__(self, version: int) -> None:
        self.first = self.seen = version  # of the graph, at its first run and at its latest
        self.runs = 0  # those that found new nodes
        self.repetitions: dict[int, int] = {}  # what was added, hashed → how often
        self.warned = False
        self.cells: dict[Any, tuple[str, Any]] = {}  # places in notebook cells → what they made first, and its code
        self.warned_of_cells = False


def nodes_by_line(graph: Graph, first: int, last: int) -> dict[str, int]:
    """The numbers of nodes with ids in (first, last], by the line of the program that made them; most first."""
    lines = Counter(map(user_line, graph._nodes.ops[first:last]))
    return {place(file, line): count for (file, line), count in lines.most_common()}
