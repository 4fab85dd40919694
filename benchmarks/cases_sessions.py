"""Benchmarks of sessions: the cost of having one, and of its options per step."""

from __future__ import annotations

import time
from itertools import repeat

from case import Case, Measured, sessions
from cases_training import tf_mlp_training

ROUNDS = 5  # per sample; the two steps that are compared take turns in each
SECONDS = 2e-3  # minimal total time of the calls of one round


def _seconds(step, count):
    start = time.perf_counter()
    for _ in repeat(None, count):
        step()
    return (time.perf_counter() - start) / count


def ratio(plain, other):
    """The time of `other` as a multiple of the time of `plain`; the minimum of several rounds each."""
    count = 1
    while min(_seconds(plain, count), _seconds(other, count)) * count < SECONDS:
        count *= 2

    def sample():
        turns = [(_seconds(plain, count), _seconds(other, count)) for _ in range(ROUNDS)]
        least_plain, least_other = map(min, zip(*turns))
        return least_other / least_plain

    return Measured(sample)


def _life(peer):
    graph = peer.tf.get_default_graph()
    peer.tf.constant(1.0)

    def life():
        with graph.as_default():
            peer.session().close()

    return life


def _life_with_a_run(peer):
    graph = peer.tf.get_default_graph()
    x = peer.tf.placeholder(peer.tf.float32, [])
    y = x + 1.0

    def life():
        with graph.as_default(), peer.session() as session:
            session.run(y, {x: 2.0})

    return life


def _time_limit(peer):
    nothing, run = peer.tf.no_op(), peer.session().run
    options = peer.tf.RunOptions(timeout_in_ms=60_000)
    return lambda: run(nothing, options=options)


def _nan_watch(peer):
    session, step, feeds = tf_mlp_training(peer)

    def watched():
        session.watch_nan()
        session.run(step, feeds)
        session.watch_nan(False)

    return ratio(lambda: session.run(step, feeds), watched)


def _step_stats(peer):
    session, step, feeds = tf_mlp_training(peer)
    options = peer.tf.RunOptions(trace_level=peer.tf.RunOptions.FULL_TRACE)

    def traced():
        session.run(step, feeds, options=options, run_metadata=peer.tf.RunMetadata())

    return ratio(lambda: session.run(step, feeds), traced)


CASES = [
    Case("time_limit", "run of a no-op with a time limit", "µs", 10, sessions(_time_limit)),
    Case("session_life", "making and closing a session", "µs", 50, sessions(_life)),
    Case("session_run", "making, one small run, closing", "µs", 100, sessions(_life_with_a_run)),
    Case("nan_watch", "MLP step with NaN watch", "×", 1.5, {"tinytf": _nan_watch}),
    Case("step_stats", "MLP step with step_stats", "×", 2, sessions(_step_stats)),
]
