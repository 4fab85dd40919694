"""Where a replayed step differs from the recorded one, and where its first NaN comes from."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

from tinytf.framework.graph import Graph
from tinytf.framework.tensor import Tensor
from tinytf.insight.recorded_step import RecordedStep, run_of
from tinytf.insight.replay_report import NodeDifference, NonFiniteNode, Value, value_of

NodeDigests = list[tuple[str, str, list[Any], list[Any], list[Any]]]  # as `DigestRecorder.take` gives them


class NodeFacts:
    """What there is to tell of nodes."""

    def __init__(self, graph: Graph, ops: dict[str, str], lines: dict[str, str]) -> None:
        self.graph = graph
        self._ops = ops
        self.lines = lines

    def __call__(self, name: str) -> tuple[str, str, str]:
        """Name, op and line of a node of the recorded graph."""
        return name, self._ops.get(name, "?"), self.lines.get(name, "?")

    def inputs_of(self, name: str) -> list[Tensor]:
        """The inputs of a node; of one in a function whose operations are not known, those of its call."""
        return list((self.graph._nodes.at(name) or self.graph._nodes.owner(name)).inputs)


def first_difference(
    about: NodeFacts, recorded: RecordedStep, nodes: NodeDigests, variables_after: dict[str, int] | None
) -> NodeDifference | None:
    """In the order in which nodes ran when they were recorded.

    Without `variables_after` the step failed both times: then nodes may have run in one of them only.
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
    """The source of the first value that is not finite, in the order in which nodes ran."""
    ran = {name for name, *_ in nodes}
    for name, iterations, outputs, inputs, _ in nodes:
        yielded, given = _values(outputs), _values(inputs)
        if not any(_is_bad(value, infinities) for value in yielded):
            continue
        tensors = about.inputs_of(name)
        for tensor, value in zip(tensors, given):
            source = tensor.op.name
            if _is_bad(value, infinities) and source not in ran and source in about.lines:  # was fed, or is a constant
                return NonFiniteNode(*about(source), (value,), {})
        by_name = {tensor.name: value for tensor, value in zip(tensors, given) if tensor.op.name in about.lines}
        return NonFiniteNode(*about(name), yielded, by_name, iterations)
    return None


def _is_bad(value: Value, infinities: bool) -> bool:
    return value.nans > 0 or (infinities and value.infinities > 0)


def _values(fields: list[Any]) -> tuple[Value, ...]:
    return tuple(value_of(one) for one in fields)
