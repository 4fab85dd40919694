"""`Session.record`: writes steps with everything that determines their values to a file that `tf.replay`
can run again."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, NamedTuple

from tinytf import _core
from tinytf._src.debug.record_format import ArrayRef
from tinytf._src.debug.record_writer import RecordComplete, RecordWriter
from tinytf._src.debug.recorded_step import RecordedStep, run_of
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.sites.creation_line import place
from tinytf._src.framework.sites.user_line import user_line
from tinytf._src.framework.values import dtypes
from tinytf._src.profiler.watched import path_of_new_file, watched


class _RecordingCall(NamedTuple):
    """Wraps a prepared call and records its runs."""

    recorder: StepRecorder
    prepared: Any
    fed: dict[Tensor, Any]
    tensors: Sequence[Tensor]
    targets: Sequence[Operation]

    def call_with(self, values: list[Any], **arguments: Any) -> tuple[Any, Any]:
        """Has the contract of `PreparedCall.call_with`."""
        return self.recorder.run(self, values, arguments)


class StepRecorder:
    """Records the steps of a session. Thread-safe. `feed_array(tensor, value)` converts a fed value to an array."""

    def __init__(
        self, graph: Graph, writer: RecordWriter, steps: int | None, feed_array: Callable[[Tensor, Any], Any]
    ) -> None:
        self._graph = graph
        self._feed_array = feed_array
        self._writer = writer
        self._one_step = (
            threading.RLock()
        )  # a concurrent step could change variables while they are read; reentrant for signal handlers
        self._lock = threading.Lock()
        self._steps_left = steps
        self._next = 0  # distinguishes the members of different steps
        self._graphs: dict[Any, int] = {}  # (names of a call, graph generation) → number of the GraphDef

    def recording(
        self, prepared: Any, fed: dict[Tensor, Any], tensors: Sequence[Tensor], targets: Sequence[Operation]
    ) -> Any:
        """Returns a replacement of `prepared` that records its calls while there are steps left to record."""
        return _RecordingCall(self, prepared, fed, tensors, targets)

    def run(self, call: _RecordingCall, values: list[Any], arguments: dict[str, Any]) -> tuple[Any, Any]:
        """Runs and records a step, even if it fails; returns results and node records."""
        prefix = self._begin()
        if prefix is None:
            return call.prepared.call_with(values, **arguments)
        with self._turn_of(call.prepared):
            try:
                before = self._before(call, prefix)
            except RecordComplete:
                return call.prepared.call_with(values, **arguments)
            digests = _core.DigestRecorder(keeps_readings=True)
            try:
                returned = call.prepared.call_with(values, digests=digests, **arguments)
            except BaseException as e:
                self._add(call, prefix, before, digests, f"{type(e).__name__}: {e}")
                raise
            self._add(call, prefix, before, digests, None)
            return returned

    def finish(self) -> None:
        """Completes the file; steps that are still running are left out."""
        self._writer.finish()

    def _begin(self) -> str | None:
        """Returns the member prefix for the arrays of a new step, or None if it is not to be recorded."""
        with self._lock:
            if self._steps_left == 0:
                return None
            if self._steps_left is not None:
                self._steps_left -= 1
            self._next += 1
            return f"arrays/{self._next - 1}"

    def _turn_of(self, prepared: Any) -> AbstractContextManager[Any]:
        """Returns a lock that serializes steps, or a null context if the step may block until another step runs."""
        about = prepared.describe()
        waits = about["may_wait"] or any(op_spec(op).may_block for _, op in about["nodes"])
        return nullcontext() if waits else self._one_step

    def _before(self, call: _RecordingCall, prefix: str) -> dict[str, Any]:
        add = self._writer.add_array
        variables: list[tuple[str, ArrayRef | None]] = []
        for i, (name, dtype, value) in enumerate(call.prepared.variables()):
            member = f"{prefix}/variables/{i}"
            variables.append((name, None if value is None else add(member, dtypes.as_dtype(dtype), value)))
        return {
            "graph": self._graph_number(call),
            "isa": _core.isa(),
            "fetches": [tensor.name for tensor in call.tensors],
            "targets": [op.name for op in call.targets],
            "feeds": [
                (tensor.name, add(f"{prefix}/feeds/{i}", tensor.dtype, self._as_array(tensor, value)))
                for i, (tensor, value) in enumerate(call.fed.items())
            ],
            "random_states": call.prepared.random_states(),
            "variables": variables,
        }

    def _add(self, call: _RecordingCall, prefix: str, before: dict[str, Any], digests: Any, error: str | None) -> None:
        nodes = digests.take()
        with suppress(RecordComplete):
            step = RecordedStep(
                **before,
                kept=[
                    (name, self._add_outputs(f"{prefix}/kept/{i}", name, outputs))
                    for i, (name, _, _, _, outputs) in enumerate(nodes)
                    if outputs
                ],
                nodes=[(run_of(name, iterations), outputs) for name, iterations, outputs, _, _ in nodes],
                variables_after=call.prepared.variable_digests(),
                error=error,
            )
            self._writer.add_step(step)

    def _add_outputs(self, member: str, name: str, outputs: list[Any]) -> list[ArrayRef]:
        op = self._graph._nodes.at(name)
        types = [dtypes.as_dtype(x.dtype) for x in outputs] if op is None else [tensor.dtype for tensor in op.outputs]
        return [
            self._writer.add_array(f"{member}/{i}", dtype, output)
            for i, (dtype, output) in enumerate(zip(types, outputs, strict=True))
        ]

    def _as_array(self, tensor: Tensor, value: Any) -> Any:
        """Returns the fed value as an array; a resource or variant handle is returned as it is."""
        return self._feed_array(tensor, value) if tensor.dtype.is_numpy_compatible else value

    def _graph_number(self, call: _RecordingCall) -> int:
        elements: list[Any] = [*call.fed, *call.tensors, *call.targets]
        names = [element.name for element in elements]
        key = (tuple(names), self._graph._generation)
        with self._lock:
            if key not in self._graphs:
                needed = _needed_part(self._graph.as_graph_def(), [name.partition(":")[0] for name in names])
                lines = {}
                for node in needed.node:
                    file, line = user_line(self._graph.get_operation_by_name(node.name)._site)
                    lines[node.name] = place(file, line)
                self._graphs[key] = self._writer.add_graph(needed.SerializeToString(), lines)
            return self._graphs[key]


def _needed_part(graph_def: Any, names: list[str]) -> Any:
    """Returns the subgraph of the named nodes: all their ancestors and colocated nodes, regardless of feeds."""
    nodes = {node.name: node for node in graph_def.node}
    needed: set[str] = set()
    to_do = list(names)
    while to_do:
        name = to_do.pop()
        if name in needed:
            continue
        needed.add(name)
        node = nodes[name]
        to_do += [text.lstrip("^").partition(":")[0] for text in node.input]
        if "_class" in node.attr:
            groups = [group.decode() for group in node.attr["_class"].list.s]
            to_do += [group[len("loc:@") :] for group in groups if group.startswith("loc:@") and group[5:] in nodes]
    part = type(graph_def)()
    part.versions.CopyFrom(graph_def.versions)
    part.library.CopyFrom(graph_def.library)
    part.node.extend(node for node in graph_def.node if node.name in needed)
    return part


def recorded(
    runner: Any, path: str | os.PathLike[str], steps: int | None, feed_array: Callable[[Tensor, Any], Any]
) -> AbstractContextManager[None]:
    """Implements `Session.record`; `runner` is the object that runs the session's steps."""
    path = path_of_new_file(path)
    if steps is not None and steps < 1:
        raise ValueError(f"steps must be at least 1, but is {steps}.")
    return watched(
        runner,
        "recorder",
        "The session is already being recorded.",
        lambda: StepRecorder(runner.graph, RecordWriter(path), steps, feed_array),
        StepRecorder.finish,
    )
