"""Constant folding when a step is prepared: its results are cached, and it can be interrupted."""

import threading

import numpy as np
import pytest
from process_memory import resident_bytes
from signal_polls import SignalPolls, interrupt

import tinytf as tf

_MIB = 1 << 20


def _chain(length, n):
    """`length` successive products with a constant matrix; all elements are close to one."""
    factor = tf.fill([n, n], 1.0 / n)
    y = tf.ones([n, n])
    for _ in range(length):
        y = tf.matmul(y, factor)
    return y


def test_only_what_is_read_is_kept():
    length, n = 30, 1024
    x = tf.placeholder(tf.float32, [])
    y = _chain(length, n)
    whole = y * x
    with tf.Session() as sess:
        sess.run(x, {x: 1.0})
        before = resident_bytes()
        value = sess.run(whole[0, 0], {x: 3.0})
        assert value == pytest.approx(3, rel=1e-3)
        report = sess.plan_report(whole[0, 0], [x])
        assert report.op_counts == {"Mul": 1, "StridedSlice": 1}
        assert 4 * n * n <= report.constant_bytes < 4 * n * n + 1000
        assert resident_bytes() - before < length // 3 * 4 * n * n


def test_plans_share_what_was_folded():
    plans, n = 30, 1024
    x = tf.placeholder(tf.float32, [])
    y = _chain(2, n)
    with tf.Session() as sess:
        sess.run((y * x)[0, 0], {x: 1.0})
        before = resident_bytes()
        for i in range(plans):
            assert sess.run((y * x)[i, 0], {x: 2.0}) == pytest.approx(2, rel=1e-3)
        assert resident_bytes() - before < plans // 2 * 4 * n * n


def test_results_above_the_limit_are_computed_by_the_steps():
    config = tf.ConfigProto()
    config.graph_options.optimizer_options.max_folded_constant_in_bytes = 4 * 64 * 64 - 1
    with tf.Session(config=config) as sess:
        y = _chain(2, 64)
        assert sess.plan_report(y).op_counts == {"Fill": 2, "MatMul": 2}
        np.testing.assert_allclose(sess.run(y), np.ones([64, 64]), rtol=1e-3)


# Tensors that take long to fold.
_LONG = {"many nodes": lambda: _chain(1000, 512), "one kernel": lambda: _chain(1, 5120)}


@pytest.mark.parametrize("kind", _LONG)
@pytest.mark.parametrize("end", ["interrupt", "timeout"])
def test_folding_ends_early(kind, end):
    """Folding polls for signals while it goes on, and does not come to an end: no plan is made."""
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.optimizer_options.max_folded_constant_in_bytes = 1 << 30
    long, short = _LONG[kind](), _chain(2, 512)
    act, error, options = {
        "interrupt": (interrupt, KeyboardInterrupt, None),
        "timeout": (lambda: None, tf.errors.DeadlineExceededError, tf.RunOptions(timeout_in_ms=50)),
    }[end]
    with tf.Session(config=config) as sess:
        with SignalPolls(lambda: sess._engine.active_runs() > 0, act, at=2) as polls, pytest.raises(error):
            sess.run(long[0, 0], options=options)
        assert polls.after_the_act <= 2, "folding went on"
        assert sess.stats().plans == 0
        assert sess.run(short[0, 0]) == pytest.approx(1, rel=1e-3)


def test_other_threads_may_add_nodes_meanwhile():
    """Folding holds neither the graph's lock nor the GIL, so that other threads can add nodes and interrupt it."""
    long = _chain(1000, 512)
    graph = tf.get_default_graph()
    added = []

    def add():
        with graph.as_default():
            added.append(tf.constant(1.0, name="meanwhile"))

    def add_and_interrupt():
        thread = threading.Thread(target=add)
        thread.start()
        thread.join()
        interrupt()

    with tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=1)) as sess:
        active = sess._engine.active_runs
        with SignalPolls(lambda: active() > 0, add_and_interrupt), pytest.raises(KeyboardInterrupt):
            sess.run(long[0, 0])
        assert sess.run(added[0]) == 1
