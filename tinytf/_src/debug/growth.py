"""Warns if a program adds nodes to its graph inside its training loop.

The warning is given after a number of identical additions between runs. Additions are identical if they have the same
call stacks and equal ops, dtypes and shapes, and are connected in the same way to the same older nodes. So programs
without a loop around their runs are never warned, nor are programs that add something different each time, such as a
read of each variable or a placeholder for each new shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tinytf._src.debug import cells
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.growth import Growth, nodes_by_line
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.logs.log import logger
from tinytf._src.framework.sites.call_site import frames_in

REPETITIONS = 20  # identical additions before the warning; so many are no coincidence
_LOOKED_AT = 100  # nodes compared; of a larger addition only these and the total number


def note_run(graph: Graph) -> None:
    """Must be called for every run that may see new nodes, before or after it; warns once per graph."""
    growth = graph._growth
    if growth is not None and growth.seen == graph.version:
        return
    with graph._nodes.lock:
        growth, version = graph._growth, graph.version
        if growth is None:  # nodes added before the first run are no growth
            graph._growth = Growth(version)
            cells.note_variables(graph, 0, version)
            return
        before, growth.seen = growth.seen, version
        if before == version:
            return
        cells.note_variables(graph, before, version)
        growth.runs += 1
        if growth.warned:
            return
        addition = _fingerprint(graph, before, version)
        repetitions = growth.repetitions[addition] = growth.repetitions.get(addition, 0) + 1
        if repetitions < REPETITIONS:
            return
        growth.warned = True
        growth.repetitions.clear()
    line, count = next(iter(nodes_by_line(graph, before, version).items()))
    logger().warning(
        "The graph grows inside a loop: %s added the same nodes before each of %d runs, %d nodes per run there and %d in "
        "all; the graph has %d nodes by now. They stay in memory, and each such run needs a new plan. Create nodes before "
        "the loop and feed the values that change. graph.growth_report() lists the lines that add nodes.",
        line,
        REPETITIONS,
        count,
        version - before,
        version,
    )


def _fingerprint(graph: Graph, before: int, version: int) -> int:
    """Returns a hash that is equal for identical additions."""
    core = graph._core
    ops = graph._nodes.ops[before : min(version, before + _LOOKED_AT)]
    places = [_place(op) for op in ops]
    parts: list[Any] = [version - before]
    for op, place in zip(ops, places, strict=True):
        inputs = [_source(graph, key, before, places) for key in core.input_keys(op._id)]
        shapes = [(t._dtype.as_datatype_enum, t._shape_tuple()) for t in op._outputs]
        parts.append((place, op.type, *inputs, *shapes))
    return hash(tuple(parts))


def _source(graph: Graph, key: int, before: int, places: Iterable[int]) -> Any:
    """Identifies the producer of an input: a node of this addition, the same call stack in an earlier addition, or an
    older node."""
    producer, index = key >> 32, key & 0xFFFFFFFF
    if producer > before:
        return ("new", producer - before, index)
    place = _place(graph._nodes.by_id(producer))
    return ("previous", place, index) if place in places else key


def _place(op: Operation) -> int:
    """Returns a hash of the call stack that created an operation. Code objects are identified by address; the graph
    keeps them alive."""
    return hash(tuple((id(code), instruction) for code, instruction in frames_in(op._site)))
