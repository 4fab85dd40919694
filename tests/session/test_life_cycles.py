"""Thousands of sessions in sequence leak no memory, threads or files.

The environment variable TINYTF_CYCLES sets their number.
"""

import gc
import os

import numpy as np
import pytest
from process_memory import resident_bytes
from process_threads import threads, threads_come_down_to

import tinytf as tf
from tinytf import _core
from tinytf._src.session import lifetime

_CYCLES = int(os.environ.get("TINYTF_CYCLES", "2000"))
_GROWTH = 1 << 20  # bytes of resident memory


def _held():
    """Open files, live buffers and open sessions."""
    return len(os.listdir("/proc/self/fd")), _core.live_buffers(), len(lifetime.open_sessions())


def _grow(cycle):
    """The growth of memory in the cycles after the first tenth: three times the minimum of three parts, because a
    leak occurs in each part, whereas the process's own growth occurs only once.
    """
    for _ in range(_CYCLES // 10):
        cycle()
    gc.collect()
    held, running, grown = _held(), threads(), []
    for _ in range(3):
        resident = resident_bytes()
        for _ in range((_CYCLES - _CYCLES // 10) // 3):
            cycle()
        gc.collect()
        grown.append(resident_bytes() - resident)
    assert _held() == held
    assert threads_come_down_to(running)
    return 3 * min(grown)


@pytest.fixture
def graph():
    """A graph with a placeholder `x`, a variable `v` and their product `y`."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [1000], name="x")
        v = tf.get_variable("v", initializer=tf.ones([1000]), use_resource=True)
        tf.multiply(v, x, name="y")
        yield graph


def test_sessions_with_a_block(graph):
    init, x, y = graph.get_operation_by_name("v/Assign"), graph.get_tensor_by_name("x:0"), "y:0"
    fed = np.ones(1000, np.float32)

    def cycle():
        with tf.Session(graph=graph) as sess:
            sess.run(init)
            sess.run(y, {x: fed})

    assert _grow(cycle) <= _GROWTH


def test_sessions_closed_by_hand(graph):
    init = graph.get_operation_by_name("v/Assign")

    def cycle():
        sess = tf.Session(graph=graph)
        sess.run(init)
        sess.close()

    assert _grow(cycle) <= _GROWTH


def test_interactive_sessions(graph):
    init = graph.get_operation_by_name("v/Assign")

    def cycle():
        sess = tf.InteractiveSession()
        init.run()
        sess.close()

    assert _grow(cycle) <= _GROWTH


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_forgotten_sessions(graph):
    init = graph.get_operation_by_name("v/Assign")

    def cycle():
        tf.Session().run(init)

    assert _grow(cycle) <= _GROWTH


def test_sessions_with_graphs_of_their_own():
    def cycle():
        with tf.Graph().as_default(), tf.Session() as sess:
            sess.run(tf.constant(1.0) + 1.0)

    assert _grow(cycle) <= _GROWTH
