"""Describes an execution plan: the nodes that remain after optimization, and the memory that they need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes

_UNSIZED = (dtypes.string, dtypes.variant)  # elements have no fixed size


class PlanLoop(NamedTuple):
    """A loop of an execution plan.

    `name` is the name of its frame, `nodes` are the names of the nodes that its iterations run. `is_compiled` is True
    if it was compiled to bytecode with jumps; otherwise it runs node by node under TensorFlow's dataflow rules. `maps`
    is True if its iterations are independent; if they take microseconds, the session's threads share them.
    """

    name: str
    nodes: tuple[str, ...]
    is_compiled: bool
    maps: bool = False

    def __str__(self) -> str:
        kind = ", maps" if self.maps else "" if self.is_compiled else ", not compiled"
        return f"{self.name} ({len(self.nodes)} nodes{kind})"


class PlanRegion(NamedTuple):
    """A part of an execution plan that runs node by node under TensorFlow's dataflow rules, because it is not compiled.

    `nodes` are the names of its nodes, `why` is the reason, which names a node.
    """

    nodes: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class PlanReport:
    """An execution plan, prepared for one combination of feeds and fetches.

    Attributes:
      nodes: (name, op) of each executed node, in order.
      folded: number of operations that were computed once during preparation.
      merged: number of operations that were replaced by an identical one.
      constants: number of tensors that every step reads: constants and results of folding.
      constant_bytes: their size in bytes.
      slots: number of tensors for which a step has space.
      peak_bytes: estimated maximum size of the tensors that a step produces, alive at the same time. Constants and
        feeds do not count; nodes are assumed to run in this order and never in place.
      unsized: names of tensors without a static size, which the estimate leaves out.
      loops: a `PlanLoop` for each loop, outer before inner ones.
      guards: number of sequences of nodes that are skipped depending on a predicate.
      way: the mode of execution: "straight", each node once; "code", bytecode with jumps for branches and loops;
        "mixed", bytecode except for the `regions`; "tokens", node by node on one thread under TensorFlow's dataflow
        rules, which is several times slower.
      why_tokens: the property of the graph or of the session's configuration that prevents bytecode, for the first
        region if there are any; or ''.
      regions: a `PlanRegion` for each part of a plan that is not compiled although the rest is.
    """

    nodes: tuple[tuple[str, str], ...]
    folded: int
    merged: int
    constants: int
    constant_bytes: int
    slots: int
    peak_bytes: int
    unsized: tuple[str, ...]
    loops: tuple[PlanLoop, ...] = ()
    guards: int = 0
    way: str = "straight"
    why_tokens: str = ""
    regions: tuple[PlanRegion, ...] = ()

    @property
    def op_counts(self) -> dict[str, int]:
        """The number of executed nodes by op, most frequent first."""
        return dict(Counter(op for _, op in self.nodes).most_common())

    def __str__(self) -> str:
        ops = ", ".join(f"{op} × {count}" if count > 1 else op for op, count in self.op_counts.items())
        unsized = f" and {len(self.unsized)} tensors of unknown size" if self.unsized else ""
        loops = f"\nloops: {', '.join(map(str, self.loops))}" if self.loops else ""
        guards = f"\n{self.guards} sequences of nodes depend on predicates" if self.guards else ""
        tokens = f"\nexecuted node by node, which is slow: {self.why_tokens}" if self.way == "tokens" else ""
        tokens += "".join(
            f"\n{len(part.nodes)} nodes are executed node by node, which is slow: {part.why}" for part in self.regions
        )
        return (
            f"{len(self.nodes)} nodes: {ops or 'none'}\n{self.folded} folded, {self.merged} merged; {self.constants} "
            f"constants of {self.constant_bytes} bytes, {self.slots} slots\n"
            f"at most about {self.peak_bytes} bytes at a time{unsized}{loops}{guards}{tokens}"
        )


def plan_report(
    graph: Graph, description: Mapping[str, Any], feeds: Iterable[Tensor], fetches: Iterable[Tensor]
) -> PlanReport:
    """Returns the report on a prepared call from the engine's description of it.

    `description` has "nodes", a list of (name, op) in the order of execution; the numbers "constants",
    "constant_bytes", "slots", "folded", "merged" and "guards"; "loops", a list of (name, nodes, is_compiled, maps); and
    the strings "way" and "why_tokens"; "regions", a list of (nodes, why).
    """
    nodes = tuple((name, op) for name, op in description["nodes"])
    peak_bytes, unsized = _peak(graph, [name for name, _ in nodes], set(feeds), list(fetches))
    numbers = {key: description[key] for key in ("folded", "merged", "constants", "constant_bytes", "slots", "guards")}
    loops = tuple(PlanLoop(name, tuple(inside), *kind) for name, inside, *kind in description["loops"])
    told = {key: description[key] for key in ("way", "why_tokens")}
    regions = tuple(PlanRegion(tuple(inside), why) for inside, why in description["regions"])
    return PlanReport(
        loops=loops, regions=regions, nodes=nodes, peak_bytes=peak_bytes, unsized=unsized, **numbers, **told
    )


def _peak(graph: Graph, names: list[str], fed: set[Tensor], fetches: list[Tensor]) -> tuple[int, tuple[str, ...]]:
    """Returns the peak size of the live tensors, and the names of tensors of unknown size.

    A tensor is live from its producer to its last reader or fetch. Of called functions only the outputs count.
    """
    ops = list(dict.fromkeys(graph._nodes.owner(name) for name in names))
    executed = set(ops)
    last_use: dict[Tensor, int] = {}
    for position, op in enumerate(ops):
        for tensor in op.outputs:
            last_use[tensor] = position
        for tensor in _read(op.inputs, executed, fed):
            last_use[tensor] = position
    for tensor in _read(fetches, executed, fed):
        last_use[tensor] = len(ops)
    dying: dict[int, int] = Counter()
    unsized = []
    alive = peak = 0
    for position, op in enumerate(ops):
        for tensor in op.outputs:
            size = _size(tensor)
            if size is None:
                unsized.append(tensor.name)
                continue
            alive += size
            dying[last_use[tensor]] += size
        peak = max(peak, alive)
        alive -= dying[position]
    return peak, tuple(unsized)


def _read(tensors: Iterable[Tensor], executed: set[Operation], fed: set[Tensor]) -> set[Tensor]:
    """Returns the outputs of executed nodes on which the tensors depend; nodes in between were fused into their
    consumers."""
    found: set[Tensor] = set()
    seen: set[Tensor] = set()
    pending = list(tensors)
    while pending:
        tensor = pending.pop()
        if tensor in seen or tensor in fed:
            continue
        seen.add(tensor)
        if tensor.op in executed:
            found.add(tensor)
        else:
            pending += tensor.op.inputs
    return found


def _size(tensor: Tensor) -> int | None:
    """Returns the size of a tensor in bytes, or None if it is not static; 0 for a reference to a variable."""
    if tensor.dtype._is_ref_dtype or tensor.dtype == dtypes.resource:
        return 0
    elements = tensor.shape.num_elements()
    if tensor.dtype in _UNSIZED or elements is None:
        return None
    return elements * tensor.dtype.size
