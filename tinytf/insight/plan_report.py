"""What the engine makes of a run's feeds and fetches: the nodes that are left, and the memory that they need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tinytf.framework import dtypes
from tinytf.framework.graph import Graph
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor

_UNSIZED = (dtypes.string, dtypes.variant)  # elements of any size


class PlanLoop(NamedTuple):
    """A loop of a prepared run: its frame's `name`, the names of the `nodes` that its iterations run, and whether it
    `is_compiled` to jumps; others are run by TensorFlow's rules, node by node. Iterations of one that `maps` need nothing
    of one another: where they take microseconds, the session's threads share them."""

    name: str
    nodes: tuple[str, ...]
    is_compiled: bool
    maps: bool = False

    def __str__(self) -> str:
        kind = ", maps" if self.maps else "" if self.is_compiled else ", not compiled"
        return f"{self.name} ({len(self.nodes)} nodes{kind})"


@dataclass(frozen=True)
class PlanReport:
    """A prepared run.

    Attributes:
      nodes: (name, op) of what each step executes, in order.
      folded: operations that were computed once, when the run was prepared.
      merged: operations that are another one's double and take its results.
      constants: tensors that every step reads: constants, and results of folding.
      constant_bytes: their size.
      slots: tensors that a step has room for.
      peak_bytes: an estimate of the most that the tensors a step makes take at one time, constants and feeds aside, if
        nodes run in this order and none works in place.
      unsized: (name of) tensors that the estimate leaves out, as their static shape does not tell their size.
      loops: a `PlanLoop` for each, outer ones before those in them.
      guards: how many runs of nodes are left out where a predicate says so.
      way: how steps run: "straight", each node once; "code", with jumps for branches and loops; "tokens", by
        TensorFlow's rules, node by node on one thread, which is several times slower.
      why_tokens: what in the graph, or in the session's configuration, stands against code; '' if nothing does.
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

    @property
    def op_counts(self) -> dict[str, int]:
        """How often each op is executed; most frequent first."""
        return dict(Counter(op for _, op in self.nodes).most_common())

    def __str__(self) -> str:
        ops = ", ".join(f"{op} × {count}" if count > 1 else op for op, count in self.op_counts.items())
        unsized = f" and {len(self.unsized)} tensors of unknown size" if self.unsized else ""
        loops = f"\nloops: {', '.join(map(str, self.loops))}" if self.loops else ""
        guards = f"\n{self.guards} runs of nodes depend on predicates" if self.guards else ""
        tokens = f"\nby tokens, which is slow: {self.why_tokens}" if self.way == "tokens" else ""
        return (
            f"{len(self.nodes)} nodes: {ops or 'none'}\n{self.folded} folded, {self.merged} merged; {self.constants} "
            f"constants of {self.constant_bytes} bytes, {self.slots} slots\n"
            f"at most about {self.peak_bytes} bytes at a time{unsized}{loops}{guards}{tokens}"
        )


def plan_report(
    graph: Graph, description: Mapping[str, Any], feeds: Iterable[Tensor], fetches: Iterable[Tensor]
) -> PlanReport:
    """The report on a prepared call, from what the engine tells of it.

    `description` has "nodes", a list of (name, op) in the order of execution, and the numbers "constants",
    "constant_bytes", "slots", "folded", "merged" and "guards", and "loops", a list of (name, nodes,
    whether it is compiled, whether it maps), and the texts "way" and "why_tokens".
    """
    nodes = tuple((name, op) for name, op in description["nodes"])
    peak_bytes, unsized = _peak(graph, [name for name, _ in nodes], set(feeds), list(fetches))
    numbers = {key: description[key] for key in ("folded", "merged", "constants", "constant_bytes", "slots", "guards")}
    loops = tuple(PlanLoop(name, tuple(inside), *kind) for name, inside, *kind in description["loops"])
    told = {key: description[key] for key in ("way", "why_tokens")}
    return PlanReport(loops=loops, nodes=nodes, peak_bytes=peak_bytes, unsized=unsized, **numbers, **told)


def _peak(graph: Graph, names: list[str], fed: set[Tensor], fetches: list[Tensor]) -> tuple[int, tuple[str, ...]]:
    """Adds up what is alive after each node: made by then, and still to be read or fetched. Of functions that are called
    only what they yield."""
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
    """The tensors of executed nodes that these come from: nodes between were fused into their readers."""
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
    """The bytes of a tensor, if its static shape and type tell; none for what only refers to a variable."""
    if tensor.dtype._is_ref_dtype or tensor.dtype == dtypes.resource:
        return 0
    elements = tensor.shape.num_elements()
    if tensor.dtype in _UNSIZED or elements is None:
        return None
    return elements * tensor.dtype.size
