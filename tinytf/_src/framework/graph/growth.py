"""Tracks how a graph grows after its first run, and which lines of the program add to it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tinytf._src.framework.graph.bases import BaseGraph
from tinytf._src.framework.sites.creation_line import place
from tinytf._src.framework.sites.user_line import user_line


class Growth:
    """Growth statistics of a graph that sessions run. Guarded by the graph's lock."""

    __slots__ = ("first", "seen", "runs", "repetitions", "warned", "cells", "warned_of_cells")

    def __init__(self, version: int) -> None:
        self.first = self.seen = version  # version of the graph at its first and at its latest run
        self.runs = 0  # number of runs that found new nodes
        self.repetitions: dict[int, int] = {}  # hash of the added nodes → number of repetitions
        self.warned = False
        # Place in a notebook cell → nodes that it added first, and its code.
        self.cells: dict[Any, tuple[str, Any]] = {}
        self.warned_of_cells = False


def nodes_by_line(graph: BaseGraph, first: int, last: int) -> dict[str, int]:
    """The number of nodes with ids in (first, last] per line of the program that added them, largest first."""
    lines = Counter(user_line(op._site) for op in graph._nodes.ops[first:last])
    return {place(file, line): count for (file, line), count in lines.most_common()}
