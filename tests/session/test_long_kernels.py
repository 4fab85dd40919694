"""A single long kernel ends after Ctrl-C, a close or the time limit, on one thread and on several.

The test measures CPU time: less than half of the time of the whole kernel, usually a hundredth, so that the speed and
load of the machine do not matter.
"""

import os
import signal
import threading
import time

import numpy as np
import pytest

import tinytf as tf


def _matmul(n):
    return tf.matmul, [np.ones([n, n], np.float32)] * 2


def _conv(n):
    return lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"), [
        np.ones([1, n // 4, n // 4, 256], np.float32),
        np.ones([3, 3, 256, 256], np.float32),
    ]


def _function(n):
    return tf.igamma, [np.full([n * n], 3.5, np.float64), np.full([n * n], 3.0, np.float64)]


def _text(n):
    return tf.as_string, [np.full([n * n], 3.25, np.float64)]


def _places(n):
    """Random indices of three dimensions."""
    return np.random.default_rng(0).integers(0, 1000, (n * n, 3))


def _reorder(n):
    def reordered(indices, values):
        sparse = tf.SparseTensor(indices, values, [1000] * 3)
        return tf.sparse.reorder(sparse).values

    return reordered, [_places(n), np.zeros(n * n, np.int8)]


def _serialize(n):
    def serialized(indices, values):
        return tf.serialize_many_sparse(tf.SparseTensor(indices, values, [n * n, 1]))

    return serialized, [np.stack([np.arange(n * n), np.zeros(n * n, np.int64)], 1), np.zeros(n * n, np.int8)]


def _png(n):
    return tf.image.encode_png, [np.random.default_rng(0).integers(0, 256, (n, n, 3), dtype=np.uint8)]


def _json(n):
    text = '{"features": {"feature": {"x": {"int64List": {"value": [' + ",".join(["1"] * (n * n)) + "]}}}}}"
    return tf.io.decode_json_example, [np.array([text], object)]


# Each with a size to measure, a larger size that takes long, and the exponent by which the time grows with the size.
_KERNELS = {
    "matmul": (_matmul, 320, 6000, 3),
    "conv2d": (_conv, 128, 1600, 2),
    "igamma": (_function, 100, 3000, 2),
    "as_string": (_text, 100, 2000, 2),
    "sparse_reorder": (_reorder, 100, 2500, 2),
    "serialize_sparse": (_serialize, 100, 2500, 2),
    "encode_png": (_png, 100, 3000, 2),
    "json_example": (_json, 100, 3000, 2),
}


def _graph_step(function, arrays, threads, **config):
    """A session, and a function that runs one step with a single large kernel in it."""
    inputs = [tf.placeholder(a.dtype, a.shape) for a in arrays]
    config = tf.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=1, **config)
    sess = tf.Session(config=config)
    call = sess.make_callable(function(*inputs).op, inputs)
    return sess, lambda: call(*arrays)


def _seconds(step):
    begin = time.process_time()
    step()
    return time.process_time() - begin


class _Meanwhile(threading.Thread):
    """Calls `act` once `is_inside()` is true; `used` is the CPU time of the process at that moment."""

    def __init__(self, is_inside, act):
        super().__init__()
        self._is_inside, self._act = is_inside, act
        self.used = 0.0
        self.start()

    def run(self):
        while not self._is_inside():
            time.sleep(0)  # releases the GIL
        self.used = time.process_time()
        self._act()


def _interrupt():
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kernel", _KERNELS)
@pytest.mark.parametrize("end", ["ctrl_c", "close", "limit"])
def test_one_big_kernel_ends_early(kernel, threads, end):
    make, small, large, power = _KERNELS[kernel]
    sess, step = _graph_step(*make(small), threads)
    with sess:
        least = min(_seconds(step) for _ in range(3))
    whole = least * (large / small) ** power  # the estimated time of the whole kernel

    limit = {"operation_timeout_in_ms": 20} if end == "limit" else {}
    sess, step = _graph_step(*make(large), threads, **limit)
    begin = time.process_time()
    if end == "limit":
        with pytest.raises(tf.errors.DeadlineExceededError):
            step()
    else:
        act, error = (_interrupt, KeyboardInterrupt) if end == "ctrl_c" else (sess.close, tf.errors.CancelledError)
        meanwhile = _Meanwhile(lambda: sess._engine.active_runs() > 0, act)
        with pytest.raises(error):
            step()
        meanwhile.join()
        begin = meanwhile.used
    assert time.process_time() - begin < whole / 2, "most of the work was done all the same"
    sess.close()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kernel", _KERNELS)
def test_one_big_eager_operation_ends_early(kernel, threads):
    make, small, large, power = _KERNELS[kernel]
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    with tf.EagerSession(config=config) as session:
        function, arrays = make(small)
        inputs = [tf.constant(a) for a in arrays]
        least = min(_seconds(lambda: function(*inputs)) for _ in range(3))
        function, arrays = make(large)
        inputs = [tf.constant(a) for a in arrays]
        meanwhile = _Meanwhile(lambda: session.stats().active_ops > 0, _interrupt)
        with pytest.raises(KeyboardInterrupt):
            function(*inputs)
        meanwhile.join()
        assert time.process_time() - meanwhile.used < least * (large / small) ** power / 2
