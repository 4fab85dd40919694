"""`RunMetadata.step_stats`: the nodes that a traced step ran."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from tinytf._src.framework.graph.graph import Graph

_ALLOCATOR = "cpu"
_FIRST_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
_LABELLED_BYTES = 0.1 * 2**20  # smaller outputs get no memory label


def fill_step_stats(
    run_metadata: Any, graph: Graph, nodes: Iterable[tuple[Any, ...]], placements: Mapping[str, str]
) -> None:
    """Fills `step_stats` from the node records of a step (see `PreparedCall.call_with`), grouped by device.

    A step that had nothing to run, because all values were constants or feeds, has one device with TensorFlow's
    `_SOURCE` node.
    """
    devices: dict[str, Any] = {}
    nodes = list(nodes)
    if not nodes:
        now = time.time_ns()
        run_metadata.step_stats.dev_stats.add(device=_FIRST_DEVICE).node_stats.add(
            node_name="_SOURCE",
            timeline_label="_SOURCE = NoOp()",
            all_start_micros=now // 1000,
            scheduled_micros=now // 1000,
            all_start_nanos=now,
            scheduled_nanos=now,
        )
    for name, start, end, thread, outputs, iterations in sorted(nodes, key=lambda node: node[1]):
        own = graph._nodes.owner(name)
        place = placements[own.name]
        device = devices.get(place)
        if device is None:
            device = devices[place] = run_metadata.step_stats.dev_stats.add(device=place)
        stats = device.node_stats.add(
            node_name=name,
            all_start_micros=start // 1000,
            op_end_rel_micros=(end - start) // 1000,
            all_end_rel_micros=(end - start) // 1000,
            scheduled_micros=start // 1000,
            all_start_nanos=start,
            op_end_rel_nanos=end - start,
            all_end_rel_nanos=end - start,
            scheduled_nanos=start,
            thread_id=thread,
        )
        total = sum(size for _, _, _, size in outputs)
        stats.timeline_label = f"{_label(name, graph._nodes.at(name) or own, total)} {iterations}".rstrip()
        if total:
            stats.memory.add(allocator_name=_ALLOCATOR, total_bytes=total, peak_bytes=total)
        for slot, dtype, dims, size in outputs:
            described = stats.output.add(slot=slot).tensor_description
            described.dtype = dtype
            for dim in dims:
                described.shape.dim.add(size=dim)
            described.allocation_description.requested_bytes = size
            described.allocation_description.allocator_name = _ALLOCATOR


def _label(name: str, operation: Any, size: int) -> str:
    """Returns `[cpu 1.5MB 1.5MB] name = Op(inputs)`; the bracket is left out for small outputs.

    In a function the inputs have their names in its body; for a function with unknown operations the label describes
    the call.
    """
    inputs = [tensor.name if tensor.value_index else tensor.op.name for tensor in operation.inputs]
    inputs += [f"^{op.name}" for op in operation.control_inputs]
    memory = f"[{_ALLOCATOR} {size / 2**20:.1f}MB {size / 2**20:.1f}MB] " if size >= _LABELLED_BYTES else ""
    return f"{memory}{name} = {operation.type}({', '.join(inputs)})"
