"""Finds the first difference between a replayed and a recorded step, and the origin of its first NaN."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

from tinytf._src.debug.recorded_step import RecordedStep, run_of
from tinytf._src.debug.replay_report import NodeDifference, NonFiniteNode, Value, value_of
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor

NodeDigests = list[tuple[str, str, list[Any], list[Any], list[Any]]]  # as returned by `DigestRecorder.take`


class NodeFacts:
    """Op, source line and inputs of the nodes of the recorded graph, for reports."""

    def __init__(self, graph: Graph, ops: dict[str, str], lines: dict[str, str]) -> None:
        self.graph = graph
        self._ops = ops
        self.lines = lines

    def __call__(self, name: str) -> tuple[str, str, str]:
        """Returns name, op and source line of a node."""
        return name, self._ops.get(name, "?"), self.lines.get(name, "?")

    def inputs_of(self, name: str) -> list[Tensor]:
        """Returns the inputs of a node; for a node in a function with unknown operations, the inputs of the call."""
        return list((self.graph._nodes.at(name) or self.graph._nodes.owner(name)).inputs)


def first_difference(
    about: NodeFacts, recorded: RecordedStep, nodes: NodeDigests, variables_after: dict[str, int] | None
) -> NodeDifference | None:
    """Returns the first difference in the recorded order of execution, or None.

    `variables_after` is None if the step failed both times; then a node may have run in only one of them.
    """
    replayed: dict[str, deque[list[Any]]] = defaultdict(deque)
    for name, iterations, outputs, _, _ in nodes:
        replayed[run_of(name, iterations)].append(outputs)
    for run, outputs in recorded.nodes:
        name, _, iterations = run.partition(" ")
        runs = replayed.get(run)
        if runs:
            now = runs.popleft()
            if [output[0] for output in now] == [output[0] for output in outputs]:
                continue
            return NodeDifference(*about(name), _values(outputs), _values(now), iterations)
        if variables_after is not None:
            return NodeDifference(*about(name), _values(outputs), None, iterations)
    if variables_after is not None and recorded.error is None:
        for name, digest in recorded.variables_after:
            if variables_after.get(name) != digest:
                return NodeDifference(*about(name), (), ())
    return None


def first_nan(about: NodeFacts, nodes: NodeDigests, infinities: bool) -> NonFiniteNode | None:
    """Returns the origin of the first NaN (or infinity, with `infinities`) in the order of execution, or None."""
    ran = {name for name, *_ in nodes}
    for name, iterations, outputs, inputs, _ in nodes:
        yielded, given = _values(outputs), _values(inputs)
        if not any(_is_bad(value, infinities) for value in yielded):
            continue
        tensors = about.inputs_of(name)
        for tensor, value in zip(tensors, given):
            source = tensor.op.name
            if _is_bad(value, infinities) and source not in ran and source in about.lines:  # fed or a constant
                return NonFiniteNode(*about(source), (value,), {})
        by_name = {tensor.name: value for tensor, value in zip(tensors, given) if tensor.op.name in about.lines}
        return NonFiniteNode(*about(name), yielded, by_name, iterations)
    return None


def _is_bad(value: Value, infinities: bool) -> bool:
    return value.nans > 0 or (infinities and value.infinities > 0)


def _values(fields: list[Any]) -> tuple[Value, ...]:
    return tuple(value_of(one) for one in fields)
