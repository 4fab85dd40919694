"""Statistics of a session: memory, plans and steps."""

from __future__ import annotations

from typing import Any, NamedTuple


class MemoryStats(NamedTuple):
    """The memory of a session's tensors: variables, values in steps and elements of queues.

    Arrays that the caller feeds are not copied and do not count; a fetched array counts until the caller drops it.
    """

    live_bytes: int
    """Bytes in live tensors."""
    peak_bytes: int
    """Maximum of `live_bytes` so far."""
    pooled_bytes: int
    """Bytes of freed tensors, pooled for reuse. `close()`, `trim()` or disuse returns them to the system."""
    allocations: int
    """Number of memory blocks allocated so far."""
    pool_hits: int
    """Number of allocations that were served from the pool."""
    evicted_blocks: int
    """Number of blocks that the pool has evicted so far to make room for others."""
    returning_bytes: int
    """Bytes of large freed tensors that a background thread is about to return to the system."""
    returned_blocks: int
    """Number of blocks that the background thread has returned so far."""


class SessionStats(NamedTuple):
    """Counters of a session's steps, plans and memory."""

    steps: int
    """Number of steps started."""
    feed_bytes_copied: int
    """Bytes of fed values that had to be copied: values of other types, lists, non-contiguous arrays."""
    plans: int
    """Number of plans created, one for each combination of feeds and fetches."""
    cached_calls: int
    """Number of distinct `run` calls that are cached, so that their fetches are not examined again."""
    memory: MemoryStats
    active_runs: int
    """Number of running steps and of plans being created. `close()` cancels the steps and waits until it is 0."""


def memory_stats(core: Any) -> MemoryStats:
    """Returns the memory statistics of a core session."""
    figures = core.memory_stats()
    return MemoryStats(*(figures[name] for name in MemoryStats._fields))
