"""Benchmarks of eager sessions: operations, dropping values, safe points, creating and closing a session."""

from __future__ import annotations

import contextvars
import threading
import time
from itertools import repeat

import numpy as np
from case import Case, Measured

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
ROUNDS = 5


def _quantile(values, q):
    return sorted(values)[min(len(values) - 1, int(q * len(values)))]


def _entered(peer, sample, **options):
    """A sample that runs inside the `with` block of its own session."""
    context = contextvars.copy_context()
    session = peer.tf.EagerSession(**options)
    context.run(session.__enter__)
    return Measured(lambda: context.run(sample, session))


def _seconds(step, count):
    start = time.perf_counter()
    for _ in repeat(None, count):
        step()
    return (time.perf_counter() - start) / count


# -- Dropping a value.


def _dropping(make, size, count, q):
    """A quantile of the time it takes to drop one of `count` values of `size` bytes."""
    clock = time.perf_counter_ns

    def sample(*_):
        values = [make(size // 4) for _ in range(count)]
        times = []
        while values:
            value = values.pop()
            start = clock()
            del value
            times.append(clock() - start)
        return _quantile(times, q) * 1e-9

    return sample


def _drop_case(name, title, size, count, q, target):
    def own(peer):
        return _entered(peer, _dropping(lambda n: peer.tf.ones([n]), size, count, q))

    return Case(
        name,
        title,
        "ns",
        target,
        {
            "tinytf": own,
            "torch": lambda peer: Measured(_dropping(peer.torch.ones, size, count, q)),
            "numpy": lambda peer: Measured(_dropping(lambda n: np.ones(n, np.float32), size, count, q)),
        },
    )


def _hand_off(peer):
    count = 100_000

    def sample(session):
        values = [peer.tf.constant(1.0) for _ in range(count)]
        start = time.perf_counter()
        values.clear()
        session.flush()
        return (time.perf_counter() - start) / count

    return _entered(peer, sample)


# -- Operations.


def _add(peer):
    x = y = None

    def sample(session):
        nonlocal x, y
        if x is None:
            x, y = peer.tf.ones([3, 3]), peer.tf.ones([3, 3])
        return _seconds(lambda: x + y, 20_000)

    return _entered(peer, sample)


def _tensorflow_add(peer):
    from tensorflow.python.eager import context

    def sample():
        with context.eager_mode():
            x, y = peer.tf.ones([3, 3]), peer.tf.ones([3, 3])
            return _seconds(lambda: x + y, 20_000)

    return Measured(sample)


def _torch_add(peer):
    x, y = peer.torch.ones(3, 3), peer.torch.ones(3, 3)
    return lambda: x + y


def _loop_against_immediate(peer):
    """A loop of small additions in a session, compared with a session that frees each value at the point where it
    is dropped.
    """
    from tinytf import _core

    immediate = _core.SessionCore(strategy=3)

    def loop():
        x = peer.tf.constant([1.0, 2.0])
        for _ in repeat(None, 5000):
            x = x + 1.0

    def in_background(session):
        loop()

    def immediately():
        _core.enter_session(None, immediate)
        loop()

    background = _entered(peer, in_background)
    context = contextvars.copy_context()

    def sample():
        turns = [(_seconds(lambda: context.run(immediately), 1), _seconds(background.sample, 1)) for _ in range(ROUNDS)]
        least_immediate, least_background = map(min, zip(*turns))
        return least_background / least_immediate

    return Measured(sample)


def _pool_misses(peer):
    def sample(session):
        x = peer.tf.ones([64])
        for _ in repeat(None, 200):
            x = x + 1.0
        session.flush()
        before = session.stats()
        for _ in repeat(None, 10_000):
            x = x + 1.0
        after = session.stats()
        taken = after.allocations - before.allocations
        return (taken - (after.pool_hits - before.pool_hits)) / taken

    return _entered(peer, sample)


def _pause(peer):
    """The latency that a safe point with a budget adds to the slowest operations while many values are queued."""
    clock = time.perf_counter_ns

    def sample(session):
        x = peer.tf.constant([1.0, 2.0])
        x + 1.0
        alone = []
        for _ in range(20_000):
            start = clock()
            x + 1.0
            alone.append(clock() - start)
        values = [peer.tf.constant(1.0) for _ in range(60_000)]
        session.collect()
        del values
        times = []
        for _ in range(20_000):
            start = clock()
            x + 1.0
            times.append(clock() - start)
        return max(0, _quantile(times, 0.999) - _quantile(alone, 0.5)) * 1e-9

    strategy = peer.tf.EagerSession.ResourceCleanupStrategy.ON_SAFE_POINTS
    return _entered(peer, sample, resource_cleanup_strategy=strategy, safe_point_budget_us=200)


# -- The session.


def _life(peer):
    return lambda: peer.tf.EagerSession().close()


def _close_many(peer):
    count = 1_000_000

    def sample():
        session = peer.tf.EagerSession()

        def block():
            session.__enter__()
            values = [peer.tf.constant(1.0) for _ in range(count)]
            start = time.perf_counter()
            session.close()
            seconds = time.perf_counter() - start
            del values
            return seconds

        return contextvars.copy_context().run(block)

    return Measured(sample)


def _join(peer):
    """Closing a session while the reaper still has values to free."""

    def sample():
        session = peer.tf.EagerSession()

        def block():
            session.__enter__()
            values = [peer.tf.constant(1.0) for _ in range(4000)] + [peer.tf.zeros([MIB // 4]) for _ in range(8)]
            values.clear()
            start = time.perf_counter()
            session.close()
            return time.perf_counter() - start

        return contextvars.copy_context().run(block)

    return Measured(sample)


def _backlog(peer):
    """The largest number of queued bytes that eight threads reach, beyond the hard mark and one value per thread."""
    producers, size, hard = 8, 256 * KIB, 8 * MIB

    def produce():
        for _ in range(200):
            peer.tf.zeros([size // 4])

    def sample(session):
        threads = [threading.Thread(target=contextvars.copy_context().run, args=(produce,)) for _ in range(producers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return session.stats().peak_queued_bytes / (hard + producers * size)

    return _entered(peer, sample, soft_bytes=hard // 4, hard_bytes=hard)


def _stats(peer):
    return _entered(peer, lambda session: _seconds(session.stats, 10_000))


CASES = [
    Case(
        "eager_add",
        "eager add of two 3×3 matrices, operator",
        "µs",
        1.0,
        {"tinytf": _add, "tensorflow": _tensorflow_add, "torch": _torch_add},
        better_than="tensorflow",
    ),
    Case("eager_loop", "eager additions against freeing at once", "×", 1.05, {"tinytf": _loop_against_immediate}),
    _drop_case("drop_4k", "dropping 4 KiB, median", 4 * KIB, 2000, 0.5, 300),
    _drop_case("drop_4k_p99", "dropping 4 KiB, slowest 1 %", 4 * KIB, 2000, 0.99, 2000),
    _drop_case("drop_1m", "dropping 1 MiB, median", MIB, 200, 0.5, 300),
    _drop_case("drop_1m_p99", "dropping 1 MiB, slowest 1 %", MIB, 200, 0.99, 2000),
    _drop_case("drop_64m", "dropping 64 MiB, median", 64 * MIB, 8, 0.5, 300),
    _drop_case("drop_1g", "dropping 1 GiB, median", GIB, 3, 0.5, 300),
    Case("eager_hand_off", "dropping and freeing, per value", "ns", 200, {"tinytf": _hand_off}),
    Case("eager_pool", "share of memory that no pool gave", "×", 0.01, {"tinytf": _pool_misses}),
    Case("safe_point_pause", "added by safe points of 200 µs, slowest 0.1 %", "µs", 250, {"tinytf": _pause}),
    Case("eager_session_life", "making and closing an eager session", "µs", 200, {"tinytf": _life}),
    Case("eager_close", "closing with 1,000,000 live values", "ms", 250, {"tinytf": _close_many}),
    Case("eager_join", "closing while 8 MiB and 4,000 values are being freed", "ms", 10, {"tinytf": _join}),
    Case("eager_backlog", "backlog of eight threads against its bound", "×", 1, {"tinytf": _backlog}),
    Case("eager_stats", "figures of an eager session", "µs", 1, {"tinytf": _stats}),
]
