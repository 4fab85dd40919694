"""Types of the results of `EagerSession.stats()`."""

from __future__ import annotations

from typing import NamedTuple


class ReaperStats(NamedTuple):
    """Counters of the background thread: whether it runs, its wake-ups, batches of freed values, latency, and busy
    time."""

    alive: bool
    wakeups: int
    batches: int
    max_batch: int
    max_lag_us: int
    busy_us: int


class SafePointStats(NamedTuple):
    """Number of safe points that freed values, and the longest pause."""

    drains: int
    max_pause_us: int


class SessionStats(NamedTuple):
    """Statistics of an eager session. When idle, created = live + queued + retained + freed + invalidated.

    Numbers of values: `live` are held by the program, `queued` wait to be freed, `retained` wait for close,
    `invalidated` were held when the session was closed. Bytes: values that share memory are counted each.
    `exported_bytes` are held by exported arrays; `pooled_bytes` are free for new values; `peak_bytes` is the maximum of
    live, queued and retained bytes together. `allocated_bytes` is the session's memory in use, each block counted once:
    values, variables, queue elements, working memory of kernels.
    """

    state: str
    strategy: str
    created: int
    live: int
    queued: int
    retained: int
    freed: int
    invalidated: int
    live_bytes: int
    queued_bytes: int
    retained_bytes: int
    exported_bytes: int
    pooled_bytes: int
    peak_bytes: int
    peak_queued_bytes: int
    pending_ops: int
    active_ops: int
    reaper: ReaperStats
    safe_point: SafePointStats
    backpressure_events: int
    free_errors: int
    fork_orphaned: int
    fork_generation: int
    allocations: int
    pool_hits: int
    allocated_bytes: int
