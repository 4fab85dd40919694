"""`EagerSession.stats()`: figures as attributes."""

from __future__ import annotations

from typing import NamedTuple


class ReaperStats(NamedTuple):
    """The background thread: whether there is one, how often it woke and took something, how late, how long."""

    alive: bool
    wakeups: int
    batches: int
    max_batch: int
    max_lag_us: int
    busy_us: int


class SafePointStats(NamedTuple):
    """Safe points that freed something, and the longest."""

    drains: int
    max_pause_us: int


class SessionStats(NamedTuple):
    """Figures of an eager session. When nothing goes on, created = live + queued + retained + freed + invalidated.

    Handles: `live` are held by the program, `queued` wait to be freed, `retained` wait for close, `invalidated` were held
    when the session was closed. Bytes: values that share memory are each counted; `exported_bytes` are those of arrays
    that others hold; `pooled_bytes` are free for new values; `peak_bytes` is the most that live, queued and retained
    values took together. `allocated_bytes` are those of the memory that the session has in use, each block once:
    values, variables, what queues hold, working memory of kernels.
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
