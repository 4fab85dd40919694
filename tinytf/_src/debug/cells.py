"""Warns that a notebook cell was executed again, so that the graph has the cell's variables twice."""

from __future__ import annotations

import re
import sys
from typing import Any

from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.logs.log import logger
from tinytf._src.framework.sites.call_site import frames_in

_CELL = re.compile(r"[/\\]ipykernel_\d+[/\\]|<ipython-input-\d+-")


def note_variables(graph: Graph, first: int, last: int) -> None:
    """Checks the variables among the nodes with ids in (first, last]; warns once per graph. Does nothing outside
    notebooks.

    The caller must hold the graph's lock.
    """
    if "IPython" not in sys.modules or graph._growth is None:
        return
    cells = graph._growth.cells
    for op in graph._nodes.ops[first:last]:
        if not op._spec.is_variable:
            continue
        found = _cell(op)
        if found is None:
            continue
        place, code = found
        earlier, earlier_code = cells.setdefault(place, (op.name, code))
        if earlier_code is not code and not graph._growth.warned_of_cells:
            graph._growth.warned_of_cells = True
            logger().warning(
                "A notebook cell was executed again, so the graph now has its variables twice: %s was created by the same "
                "line as %s. Call tf.reset_default_graph() at the top of the cell to start with an empty graph.",
                op.name,
                earlier,
            )


def _cell(op: Operation) -> tuple[Any, Any] | None:
    """Returns the position in a cell's source that created an operation, and the code object of that execution; None
    outside cells."""
    for code, instruction in reversed([*frames_in(op._site)]):  # outermost first
        if _CELL.search(code.co_filename):
            text = _CELL.sub("", code.co_filename)  # what remains contains a hash of the cell's source
            return (text, code, instruction), code
    return None
