"""`tf.memory_info()`: memory use of all eager sessions of the process."""

from __future__ import annotations

from typing import NamedTuple

from tinytf import _core
from tinytf._src.eager.session import open_sessions
from tinytf._src.exports import tf_export
from tinytf._src.framework.declarations.op_spec import kept_sequences


class MemoryInfo(NamedTuple):
    """Memory figures: sums over the open eager sessions, and figures of the whole process.

    `buffers`: all live buffers of the engine. `scratch_bytes`: working memory of kernels that threads keep, at most 1
    MiB each. `random_sequences`: seeded operations whose random state is kept although they were not called for long
    (some hundred bytes each, until `tf.set_random_seed`).
    """

    sessions: int
    live: int
    live_bytes: int
    queued_bytes: int
    retained_bytes: int
    exported_bytes: int
    pooled_bytes: int
    buffers: int
    scratch_bytes: int
    random_sequences: int


@tf_export("memory_info")
def memory_info() -> MemoryInfo:
    """Returns memory figures of the process: sums over the open eager sessions, and the engine's buffers.

    Returns:
      A `MemoryInfo`, a named tuple.
    """
    stats = [session.stats() for session in open_sessions()]
    return MemoryInfo(
        sessions=len(stats),
        live=sum(s.live for s in stats),
        live_bytes=sum(s.live_bytes for s in stats),
        queued_bytes=sum(s.queued_bytes for s in stats),
        retained_bytes=sum(s.retained_bytes for s in stats),
        exported_bytes=sum(s.exported_bytes for s in stats),
        pooled_bytes=sum(s.pooled_bytes for s in stats),
        buffers=_core.live_buffers(),
        scratch_bytes=_core.scratch_bytes(),
        random_sequences=kept_sequences(),
    )
