"""Statistics of a session: memory, plans and steps."""

from __future__ import annotations

from typing import Any, NamedTuple


class MemoryStats(NamedTuple):
    """The memory of a session's tensors: variables, values in steps and elements of queues.

    Arrays that the caller feeds are not copied and do not count; a fetched array counts until the caller drops it.
    """

    live_bytes: int
    """In tensors that are alive."""
    peak_bytes: int
    """The most that `live_bytes` has been."""
    pooled_bytes: int
    """Of dead tensors, kept for the next ones; `close()` gives them back to the system, as `trim()` does, and time."""
    allocations: int
    """Blocks of memory handed out so far."""
    pool_hits: int
    """Those of them that came from the pool."""
    evicted_blocks: int
    """Those that the pool gave up so far, as others were needed."""
    returning_bytes: int
    """Of dead tensors, large ones, which a background thread is about to give back to the system."""
    returned_blocks: int
    """Blocks that it gave back so far."""


class SessionStats(NamedTuple):
    """Counters of a session's steps, plans and memory."""

    steps: int
    """Steps begun."""
    feed_bytes_copied: int
    """Bytes of fed values that could not be used where they lie: other types, lists, parts of arrays."""
    plans: int
    """Plans made: one for each combination of feeds and fetches."""
    cached_calls: int
    """Forms of `run` calls that are recognised without looking at their fetches again."""
    memory: MemoryStats
    active_runs: int
    """Steps that are running now, and plans being made; `close()` cancels the steps and waits until it is none."""


def memory_stats(core: Any) -> MemoryStats:
    """Returns the memory statistics of a core session."""
    figures = core.memory_stats()
    return MemoryStats(*(figures[name] for name in MemoryStats._fields))
