"""Constant folding when a step is prepared: its results are cached, and it can be interrupted."""

import functools
import os
import signal
import threading
import time

import numpy as np
import pytest
from process_memory import resident_bytes

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


class _InterruptAfter(threading.Thread):
    """Sends SIGINT after the creating thread has used this much CPU time."""

    def __init__(self, seconds):
        super().__init__()
        self._clock = time.pthread_getcpuclockid(threading.get_ident())
        self._due = time.clock_gettime(self._clock) + seconds

    def run(self):
        while time.clock_gettime(self._clock) < self._due:
            time.sleep(0)  # releases the GIL
        os.kill(os.getpid(), signal.SIGINT)


def _own_seconds(act):
    """The CPU time that this thread used for `act()`."""
    begin = time.thread_time()
    act()
    return time.thread_time() - begin


def _prepared_long(kind):
    """A tensor that takes long to fold, a small one of the same kind, and the ratio of their work."""
    if kind == "many nodes":
        return _chain(1000, 512), _chain(4, 512), 250
    return _chain(1, 5120), _chain(1, 512), 1000


@pytest.mark.parametrize("kind", ["many nodes", "one kernel"])
@pytest.mark.parametrize("end", ["interrupt", "timeout"])
def test_folding_ends_early(kind, end):
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.optimizer_options.max_folded_constant_in_bytes = 1 << 30
    long, short, times = _prepared_long(kind)
    with tf.Session(config=config) as sess:
        small = min(_own_seconds(functools.partial(sess.plan_report, short + i)) for i in range(3))

        def attempt():
            if end == "timeout":
                with pytest.raises(tf.errors.DeadlineExceededError):
                    sess.run(long[0, 0], options=tf.RunOptions(timeout_in_ms=50))
            else:
                interrupting = _InterruptAfter(small)
                with pytest.raises(KeyboardInterrupt):
                    interrupting.start()
                    sess.run(long[0, 0])
                interrupting.join()

        assert _own_seconds(attempt) < 0.5 * times * small
        assert sess.run(short[0, 0]) == pytest.approx(1, rel=1e-3)


def test_other_threads_may_add_nodes_meanwhile():
    """Folding holds neither the graph's lock nor the GIL, so that other threads can add nodes and interrupt it."""
    long = _chain(1000, 512)
    graph = tf.get_default_graph()
    added = []

    def add():
        with graph.as_default():
            clock = time.pthread_getcpuclockid(main)
            begin = time.clock_gettime(clock)
            while time.clock_gettime(clock) < begin + 0.01:
                time.sleep(0)
            added.append(tf.constant(1.0, name="meanwhile"))
        os.kill(os.getpid(), signal.SIGINT)

    main = threading.get_ident()
    thread = threading.Thread(target=add)
    with tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=1)) as sess:
        with pytest.raises(KeyboardInterrupt):
            thread.start()
            sess.run(long[0, 0])
        thread.join()
        assert sess.run(added[0]) == 1
