"""Merges `RunOptions` of the program and of hooks."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos

_GREATEST = ("trace_level", "timeout_in_ms", "inter_op_thread_pool")


def merged_options(one: Any, other: Any) -> Any:
    """Merges two `RunOptions` to a new one: maxima of numbers, flags that are set in either, all debug watches."""
    merged = protos.RunOptions()
    if one is not None:
        merged.CopyFrom(protos.adopt(one))
    other = protos.adopt(other)
    for field in _GREATEST:
        setattr(merged, field, max(getattr(merged, field), getattr(other, field)))
    merged.output_partition_graphs |= other.output_partition_graphs
    merged.report_tensor_allocations_upon_oom |= other.report_tensor_allocations_upon_oom
    watched = other.debug_options.debug_tensor_watch_opts
    if watched:
        merged.debug_options.debug_tensor_watch_opts.extend(watched)
    merged.debug_options.reset_disk_byte_usage |= other.debug_options.reset_disk_byte_usage
    return merged
