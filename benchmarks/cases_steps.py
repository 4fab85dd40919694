"""Benchmarks of the overhead of a step, apart from its arithmetic."""

from __future__ import annotations

import numpy as np
from case import Case, sessions
from formulas import CHAIN, numpy_formula, onnx_formula, tf_formula

CHAIN_OPS = 1000
FEED = np.ones((4096, 4096), np.float32)  # 64 MiB


def _null_callable(peer):
    return peer.session().make_callable(peer.tf.no_op())


def _null_run(peer):
    nothing, run = peer.tf.no_op(), peer.session().run
    return lambda: run(nothing)


def _add_run(peer):
    a, b = peer.tf.placeholder(peer.tf.float32, []), peer.tf.placeholder(peer.tf.float32, [])
    total, run = a + b, peer.session().run
    return lambda: run(total, {a: 1.0, b: 2.0})


def _onnx_add(peer):
    feeds = {"a": np.array(1.0, np.float32), "b": np.array(2.0, np.float32)}
    return peer.program([("Add", ["a", "b"], ["c"], {})], feeds)


def _chain(peer):
    x = peer.tf.placeholder(peer.tf.float32, [16])
    return _fed(peer, tf_formula(peer.tf, CHAIN, x), x, np.ones(16, np.float32))


def _fed(peer, fetch, placeholder, value):
    call = peer.session().make_callable(fetch, [placeholder])
    return lambda: call(value)


def _feed(peer):
    x = peer.tf.placeholder(peer.tf.float32, [None, None])
    return _fed(peer, peer.tf.shape(x), x, FEED)


def _onnx_feed(peer):
    return peer.program([("Shape", ["x"], ["y"], {})], {"x": FEED})


def _queue(peer):
    queue = peer.tf.FIFOQueue(10, peer.tf.float32, shapes=[[]])
    enqueue, dequeue, run = queue.enqueue(1.0), queue.dequeue(), peer.session().run

    def element():
        run(enqueue)
        return run(dequeue)

    return element


CASES = [
    Case("null_callable", "make_callable of a no-op", "µs", 1.5, sessions(_null_callable)),
    Case("null_run", "run of a no-op", "µs", 4, sessions(_null_run)),
    Case(
        "add_run",
        "run(a + b), two scalar feeds",
        "µs",
        6,
        sessions(_add_run, onnxruntime=_onnx_add),
        better_than="onnxruntime",
    ),
    Case(
        "chain",
        "chain of 1,000 small ops, per op",
        "ns",
        120,
        sessions(
            _chain,
            onnxruntime=lambda peer: onnx_formula(peer, CHAIN, np.ones(16, np.float32)),
            numpy=lambda peer: numpy_formula(CHAIN, np.ones(16, np.float32)),
        ),
        work=CHAIN_OPS,
        reference=448,
    ),
    Case("queue", "queue element, enqueue + dequeue", "µs", 4, sessions(_queue)),
    # Copying 64 MB takes milliseconds, so this target can only be met without a copy.
    Case("feed_64mb", "run with a feed of 64 MB", "µs", 20, sessions(_feed, onnxruntime=_onnx_feed)),
]
