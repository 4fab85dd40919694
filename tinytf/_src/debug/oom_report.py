"""The text that is added to the message of an out-of-memory error."""

from __future__ import annotations

from typing import Any

from tinytf._src.debug.session_stats import memory_stats
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.profiler.devices import FIRST_CPU

_HINT = (
    "\nHint: If you want to see a list of allocated tensors when OOM happens, add report_tensor_allocations_upon_oom to "
    "RunOptions for current allocation info.\n"
)
_MOST = 20  # maximum number of variables that are listed


def oom_report(graph: Graph, core: Any, options: Any) -> str:
    """Returns the allocations of the core session, or a hint at `RunOptions.report_tensor_allocations_upon_oom` if
    unset."""
    if options is None or not options.report_tensor_allocations_upon_oom:
        return _HINT
    memory = memory_stats(core)
    lines = [
        f"\nCurrent usage from device: {FIRST_CPU}, allocator: cpu",
        f"  {memory.live_bytes} bytes in live tensors, {memory.pooled_bytes} bytes pooled for reuse, "
        f"{memory.peak_bytes} bytes at the peak so far",
    ]
    sizes = sorted(_variable_sizes(graph), reverse=True)
    lines += [f"  {size} bytes for variable {name}" for size, name in sizes[:_MOST]]
    if len(sizes) > _MOST:
        lines.append(f"  {sum(size for size, _ in sizes[_MOST:])} bytes for {len(sizes) - _MOST} more variables")
    return "\n".join(lines) + "\n"


def _variable_sizes(graph: Graph) -> list[tuple[int, str]]:
    """Returns size in bytes and name of each variable of the graph with a fully defined shape."""
    variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES) + graph.get_collection(GraphKeys.LOCAL_VARIABLES)
    return [
        (variable.get_shape().num_elements() * variable.dtype.base_dtype.size, variable.name)
        for variable in dict.fromkeys(variables)
        if variable.get_shape().is_fully_defined()
    ]
