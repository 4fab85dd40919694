"""A single kernel that takes long ends soon after Ctrl-C, a close or the time limit, on one thread and on several."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def handler():
    """Python's own handler for SIGINT, whatever the process was started with."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _matmul(n):
    return tf.matmul, [np.ones([n, n], np.float32)] * 2


def _conv(n):
    return lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"), [
        np.ones([1, n // 4, n // 4, 256], np.float32),
        np.ones([3, 3, 256, 256], np.float32),
    ]


def _function(n):
    return tf.igamma, [np.full([n * n], 3.5, np.float64), np.full([n * n], 3.0, np.float64)]


# Each with a size whose time is measured, a larger one that takes long, and the power of the size that its time grows by.
_KERNELS = {"matmul": (_matmul, 320, 6000, 3), "conv2d": (_conv, 128, 1600, 2), "igamma": (_function, 100, 2000, 2)}


def _graph_step(function, arrays, threads, **config):
    """A session, and a function that runs one step of one big kernel in it."""
    inputs = [tf.placeholder(a.dtype, a.shape) for a in arrays]
    config = tf.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=1, **config)
    sess = tf.Session(config=config)
    call = sess.make_callable(function(*inputs).op, inputs)
    return sess, lambda: call(*arrays)


def _seconds(step):
    begin = time.perf_counter()
    step()
    return time.perf_counter() - begin


class _Meanwhile(threading.Thread):
    """Calls `act` when the session is inside a step."""

    def __init__(self, sess, act):
        super().__init__()
        self._sess, self._act = sess, act

    def run(self):
        while self._sess._session.active_runs() == 0:
            pass
        self._act()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kernel", _KERNELS)
@pytest.mark.parametrize("end", ["ctrl_c", "close", "limit"])
def test_one_big_kernel_ends_early(kernel, threads, end):
    make, small, large, power = _KERNELS[kernel]
    sess, step = _graph_step(*make(small), threads)
    with sess:
        least = min(_seconds(step) for _ in range(3))
    whole = least * (large / small) ** power  # if all of it is done

    limit = {"operation_timeout_in_ms": 20} if end == "limit" else {}
    sess, step = _graph_step(*make(large), threads, **limit)
    begin = time.perf_counter()
    if end == "limit":
        with pytest.raises(tf.errors.DeadlineExceededError):
            step()
    else:
        interrupt = end == "ctrl_c"
        meanwhile = _Meanwhile(sess, (lambda: os.kill(os.getpid(), signal.SIGINT)) if interrupt else sess.close)
        meanwhile.start()
        with pytest.raises(KeyboardInterrupt if interrupt else tf.errors.CancelledError):
            step()
        meanwhile.join()
    assert time.perf_counter() - begin < whole / 2, "most of the work was done all the same"
    sess.close()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kernel", _KERNELS)
def test_one_big_eager_operation_ends_early(kernel, threads):
    make, small, large, power = _KERNELS[kernel]
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    with tf.EagerSession(config=config):
        function, arrays = make(small)
        inputs = [tf.constant(a) for a in arrays]
        least = min(_seconds(lambda: function(*inputs)) for _ in range(3))
        function, arrays = make(large)
        inputs = [tf.constant(a) for a in arrays]
        begin = time.perf_counter()
        meanwhile = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        meanwhile.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                function(*inputs)
        meanwhile.join()
        assert time.perf_counter() - begin < least * (large / small) ** power / 2
