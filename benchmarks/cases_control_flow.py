"""Benchmarks of branches and loops."""

from __future__ import annotations

import time

import numpy as np
from case import Case, Measured, sessions

ITERATIONS = 10_000
GUARDS = 1_000
ELEMENTS = 10_000
WRITES = 1_000_000
BODIES, SIZE = 1_000, 64
CALLS = 50


def _called(peer, fetch, *fed):
    """A callable that runs `fetch` with fixed values for placeholders."""
    call = peer.session().make_callable(fetch, [placeholder for placeholder, _ in fed])
    values = [value for _, value in fed]
    return lambda: call(*values)


def _counting(peer):
    tf = peer.tf
    n = tf.placeholder(tf.int32, [])
    return _called(peer, tf.while_loop(lambda i: i < n, lambda i: i + 1, [0]), (n, ITERATIONS))


def _three_scalars(peer):
    tf = peer.tf
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [])
    y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y * x)), [0, x])[1]
    return _called(peer, y, (n, ITERATIONS), (x, 0.5))


def _gradient(peer):
    tf = peer.tf
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [])
    y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y * x)), [0, x])[1]
    return _called(peer, tf.gradients(y, x)[0], (n, ITERATIONS), (x, 0.5))


def _guards(peer):
    tf = peer.tf
    p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [])
    y = x
    for _ in range(GUARDS):
        y = tf.cond(p, lambda y=y: y * 2.0, lambda y=y: y)
    return _called(peer, y, (p, False), (x, 1.0))


def _growing_array(peer):
    """A TensorArray without an initial size that grows by one element per iteration."""
    tf = peer.tf
    n = tf.placeholder(tf.int32, [])
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    write = lambda i, t: (i + 1, t.write(i, tf.cast(i, tf.float32) * 0.5))  # noqa: E731
    written = tf.while_loop(lambda i, t: i < n, write, [0, array])[1]
    return _called(peer, tf.reduce_sum(written.stack()), (n, WRITES))


def _called_function(peer):
    """A call, by a kernel, of a function of three scalar ops beside its ops, as a multiple of the time of a callable
    that runs nothing. A switch of six branches is left to its kernel; it adds an Identity before and after the call.
    """
    tf = peer.tf
    before = tf.control_flow_v2_enabled()
    tf.enable_control_flow_v2()
    x, index = tf.placeholder(tf.float32, []), tf.placeholder(tf.int32, [])
    called = alone = x
    for _ in range(CALLS):
        called = tf.switch_case(index, [lambda y=called: tf.exp(tf.sin(y) + y)] * 6)
        alone = tf.identity(tf.identity(tf.exp(tf.sin(alone) + alone)))
    null = peer.session().make_callable(tf.no_op())
    ways = null, _called(peer, called, (x, 0.1), (index, 2)), _called(peer, alone, (x, 0.1))
    (tf.enable_control_flow_v2 if before else tf.disable_control_flow_v2)()

    def sample():
        turns = [[_seconds(call) for call in ways] for _ in range(100)]
        nothing, with_calls, without = map(min, zip(*turns))
        return (with_calls - without) / CALLS / nothing

    return Measured(sample)


def _known_branch(peer):
    """1,000 scalar ops before a dropout that is switched off by a default value, as a multiple of the time of the
    ops alone.
    """
    tf = peer.tf
    x, training = tf.placeholder(tf.float32, []), tf.placeholder_with_default(False, [])
    y = x
    for _ in range(GUARDS):
        y = tf.sin(y)
    chosen = tf.cond(training, lambda: tf.nn.dropout(y, rate=0.5), lambda: y)
    plain, switched = (_called(peer, fetch, (x, 1.0)) for fetch in (y, chosen))

    def sample():
        turns = [[_seconds(call) for call in (plain, switched)] for _ in range(100)]
        alone, together = map(min, zip(*turns))
        return together / alone

    return Measured(sample)


def _map(peer):
    tf = peer.tf
    x = tf.placeholder(tf.float32, [ELEMENTS])
    return _called(peer, tf.map_fn(lambda v: v * 2.0, x), (x, np.ones(ELEMENTS, np.float32)))


def _map_on_threads(peer):
    """`map_fn` with bodies of about 20 µs on all threads, as a multiple of the sequential time divided by the
    number of threads.
    """
    tf = peer.tf
    x, w = tf.placeholder(tf.float32, [BODIES, 1, SIZE]), tf.constant(np.eye(SIZE, dtype=np.float32))

    def body(v):
        for _ in range(20):
            v = tf.tanh(tf.matmul(v, w))
        return v

    mapped = tf.map_fn(body, x)
    value = np.full([BODIES, 1, SIZE], 0.5, np.float32)
    calls = []
    for threads in (1, peer.threads):
        config = type(peer.config)(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)
        calls.append(tf.Session(config=config).make_callable(mapped, [x]))

    def sample():
        turns = [[_seconds(lambda call=call: call(value)) for call in calls] for _ in range(5)]
        alone, shared = map(min, zip(*turns))
        return shared / (alone / peer.threads)

    return Measured(sample)


def _seconds(step):
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


CASES = [
    Case("counting_loop", "loop that counts, per iteration", "ns", 100, sessions(_counting), work=ITERATIONS),
    Case("scalar_loop", "loop of 3 scalar ops, per iteration", "ns", 200, sessions(_three_scalars), work=ITERATIONS),
    Case("loop_gradient", "its gradient, per iteration", "ns", 1000, sessions(_gradient), work=ITERATIONS),
    Case("guards", "1,000 branches that are not taken, a step", "µs", 150, sessions(_guards)),
    Case("known_branch", "1,000 ops and a branch that is known / without it", "×", 1.02, sessions(_known_branch)),
    Case("called_function", "a call of 3 scalar ops by a kernel / null callable", "×", 0.5, sessions(_called_function)),
    Case("map_on_threads", "map_fn of 20 µs bodies / their time over threads", "×", 1.18, sessions(_map_on_threads)),
    Case("growing_array", "array that grows to 10^6, per write", "ns", 300, sessions(_growing_array), work=WRITES),
    Case("map_fn", "map_fn over 10,000 scalars", "ms", 3, sessions(_map)),
]
