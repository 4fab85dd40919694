"""`Timeline`: converts the step stats of a traced run to a file for chrome://tracing or Perfetto."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from tinytf._src.profiler.trace_events import TraceEvents

_OP_LABEL = re.compile(r"(.*) = (.*)\((.*)\)")
_ITERATIONS = re.compile(r"\) (in iteration .*)$")
_KERNEL_LABEL = re.compile(r"[^#]*?@@([^#]+)#")
_RECEIVE = "RecvTensor"


class AllocationMaximum(NamedTuple):
    """The maximum of an allocator: `num_bytes` in the named `tensors` at `timestamp` (microseconds)."""

    timestamp: int
    num_bytes: int
    tensors: set[str]


class StepStatsAnalysis(NamedTuple):
    """Result of `Timeline.analyze_step_stats`: the trace, and an `AllocationMaximum` by allocator name."""

    chrome_trace: TraceEvents
    allocator_maximums: dict[str, AllocationMaximum]


class _TrackedTensor(NamedTuple):
    """An output of a node, with its lifetime and its producer."""

    object_id: int
    pid: int  # the process that displays the device's tensors
    allocator: str
    num_bytes: int
    created: int
    uses_end: list[int]
    made_at: tuple[int, int, int]  # end of the producer, its pid and tid

    @property
    def last_use(self) -> int:
        return max(self.uses_end)


class Timeline:
    """Converts step stats to Chrome's trace format.

    Args:
      step_stats: a `StepStats` message, such as `RunMetadata.step_stats`. As in TensorFlow, the `thread_id` of its
        nodes is overwritten with the display lane.
      graph: ignored; accepted for compatibility.
    """

    def __init__(self, step_stats: Any, graph: Any = None) -> None:
        self._step_stats = step_stats
        self._trace = TraceEvents()
        self._next_pid = 0
        self._next_flow = 0
        self._compute_pids: dict[str, int] = {}
        self._tensor_pids: dict[str, int] = {}
        self._allocators_pid = 0
        self._tensors: dict[str, _TrackedTensor] = {}

    def generate_chrome_trace_format(self, show_dataflow: bool = True, show_memory: bool = False) -> str:
        """Returns the trace as JSON text.

        Args:
          show_dataflow: bool, whether to draw arrows from producers to consumers on other lanes.
          show_memory: bool, whether to show the lifetimes of tensors and the bytes in use by allocator.

        Returns:
          A string.
        """
        return self.analyze_step_stats(show_dataflow, show_memory).chrome_trace.format_to_string(pretty=True)

    def analyze_step_stats(self, show_dataflow: bool = True, show_memory: bool = True) -> StepStatsAnalysis:
        """Returns the trace and, if `show_memory` is set, the maximum use of each allocator.

        Args:
          show_dataflow: bool, as for `generate_chrome_trace_format`.
          show_memory: bool, as for `generate_chrome_trace_format`.

        Returns:
          A `StepStatsAnalysis`; its maximums are empty without `show_memory`.
        """
        self._name_processes()
        self._assign_lanes()
        self._track_tensors(show_memory)
        self._add_nodes(show_dataflow)
        return StepStatsAnalysis(self._trace, self._add_memory() if show_memory else {})

    def _new_pid(self, name: str) -> int:
        pid = self._next_pid
        self._next_pid += 1
        self._trace.name_process(name, pid)
        return pid

    def _name_processes(self) -> None:
        self._allocators_pid = self._new_pid("Allocators")
        for stats in self._step_stats.dev_stats:
            self._compute_pids[stats.device] = self._new_pid(f"{stats.device} Compute")
            self._tensor_pids[stats.device] = self._new_pid(f"{stats.device} Tensors")

    def _assign_lanes(self) -> None:
        """Assigns to each node the first lane of its device that is free when it starts."""
        for stats in self._step_stats.dev_stats:
            free_from = [0]
            for node in stats.node_stats:
                start, end = _span(node)
                lane = next((i for i, free in enumerate(free_from) if start > free), len(free_from))
                free_from[lane:] = [end, *free_from[lane + 1 :]]
                node.thread_id = lane

    def _track_tensors(self, show_memory: bool) -> None:
        for stats in self._step_stats.dev_stats:
            pid, tensors_pid = self._compute_pids[stats.device], self._tensor_pids[stats.device]
            for node in stats.node_stats:
                start, end = _span(node)
                for slot, output in enumerate(node.output):
                    name = f"{node.node_name}:{slot}" if slot else node.node_name
                    allocation = output.tensor_description.allocation_description
                    tensor = self._tensors[name] = _TrackedTensor(
                        object_id=len(self._tensors),
                        pid=tensors_pid,
                        allocator=allocation.allocator_name,
                        num_bytes=allocation.requested_bytes,
                        created=start,
                        uses_end=[end],
                        made_at=(end, pid, node.thread_id),
                    )
                    if show_memory:
                        lane, id = node.thread_id, tensor.object_id
                        described = {"tensor_description": str(output.tensor_description).replace('"', "")}
                        self._trace.add_object("N", name, tensors_pid, lane, start, id)
                        snapshot = {"snapshot": described}
                        self._trace.add_object("O", name, tensors_pid, lane, end - 1, id, args=snapshot)

    def _add_nodes(self, show_dataflow: bool) -> None:
        for stats in self._step_stats.dev_stats:
            pid = self._compute_pids[stats.device]
            is_stream = "/stream:" in stats.device or "/memcpy" in stats.device
            for node in stats.node_stats:
                name, op, inputs = _describe(node, is_stream)
                start, end = _span(node)
                args = {"name": name, "op": op, **{f"input{i}": source for i, source in enumerate(inputs)}}
                if in_loop := _ITERATIONS.search(node.timeline_label):
                    args["iterations"] = in_loop.group(1)
                self._trace.add_region("Op", op, pid, node.thread_id, start, node.all_end_rel_micros, args)
                for source in inputs:
                    self._add_use(source, pid, node.thread_id, (start, end), show_dataflow)

    def _add_use(self, source: str, pid: int, tid: int, span: tuple[int, int], show_dataflow: bool) -> None:
        if source not in self._tensors and source.rfind("/_") > 0:
            source = source[: source.rfind("/_")]  # map the receive node of this device to the tensor that it receives
        tensor = self._tensors.get(source)
        if tensor is None:
            return
        tensor.uses_end.append(span[1] - 1)
        made, made_pid, made_tid = tensor.made_at
        if show_dataflow and (made_pid, made_tid) != (pid, tid):
            flow = self._next_flow
            self._next_flow += 1
            self._trace.add_flow("s", source, made_pid, made_tid, made, flow)
            self._trace.add_flow("t", source, pid, tid, span[0], flow)

    def _add_memory(self) -> dict[str, AllocationMaximum]:
        """Adds the deletions of tensors and the counters of bytes in use; returns the maximums by allocator."""
        changes: dict[str, list[tuple[int, int, str]]] = {}
        for name, tensor in self._tensors.items():
            self._trace.add_object("D", name, tensor.pid, 0, tensor.last_use, tensor.object_id)
            ups_and_downs = changes.setdefault(tensor.allocator, [])
            ups_and_downs.append((tensor.created, tensor.num_bytes, name))
            ups_and_downs.append((tensor.last_use, -tensor.num_bytes, name))
        maxima = {}
        for allocator, ups_and_downs in changes.items():
            most, total = AllocationMaximum(0, 0, set()), 0
            alive: set[str] = set()
            for time, num_bytes, name in sorted(ups_and_downs):
                total += num_bytes
                (alive.discard if num_bytes < 0 else alive.add)(name)
                if total > most.num_bytes:
                    most = AllocationMaximum(time, total, set(alive))
                self._trace.add_counter("Memory", allocator, self._allocators_pid, time, total)
            maxima[allocator] = most
        return maxima


def _span(node: Any) -> tuple[int, int]:
    """Returns start and end of a node in microseconds."""
    return node.all_start_micros, node.all_start_micros + node.all_end_rel_micros


def _describe(node: Any, is_stream: bool) -> tuple[str, str, list[str]]:
    """Parses name, op and input names from the timeline label of a node."""
    label = node.timeline_label
    if is_stream:  # "…@@name:Op#…"
        found = _KERNEL_LABEL.match(label)
        name, op = ([*(found.group(1) if found else node.node_name).split(":"), "unknown"])[:2]
        return name, op, []
    if node.node_name == _RECEIVE:
        return node.node_name, _RECEIVE, []
    found = _OP_LABEL.match(label)
    if found is None:
        return node.node_name, "unknown", []
    return node.node_name, found.group(2), found.group(3).split(", ") if found.group(3) else []
