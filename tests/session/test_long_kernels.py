"""A single long kernel ends after Ctrl-C, a close or the time limit, on one thread and on several.

Work is measured in bytes of the input, of which the kernel must leave most unread, and in polls for signals.
"""

import numpy as np
import pytest
from read_pages import part_read, unread
from signal_polls import SignalPolls, close_meanwhile, interrupt

import tinytf as tf


def _matmul(n):
    return tf.matmul, [np.ones([n, 512], np.float32), np.ones([512, 1024], np.float32)]


def _conv(n):
    return lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"), [
        np.ones([1, n, n, 256], np.float32),
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
    text = '{"features": {"feature": {"x": {"int64List": {"value": [1' + ",1" * (n * n) + "]}}}}}"
    return tf.io.decode_json_example, [np.array([text], object)]


# Each with its size and the input that it reads in the course of its work. Parsed text is copied before.
_KERNELS = {
    "matmul": (_matmul, 100_000, 0),
    "conv2d": (_conv, 400, 0),
    "igamma": (_function, 4000, 0),
    "as_string": (_text, 2000, 0),
    "sparse_reorder": (_reorder, 2500, 1),  # after it has sorted the indices
    "serialize_sparse": (_serialize, 2500, 1),
    "encode_png": (_png, 3000, 0),
    "json_example": (_json, 5000, None),
}


def _large(kernel):
    """The function, its arrays, and a function that returns the part of the input that has been read."""
    make, n, progress = _KERNELS[kernel]
    function, arrays = make(n)
    if progress is None:
        return function, arrays, lambda: 0.0
    arrays[progress] = unread(arrays[progress])
    return function, arrays, lambda: part_read(arrays[progress])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kernel", _KERNELS)
@pytest.mark.parametrize("end", ["ctrl_c", "close", "limit"])
def test_one_big_kernel_ends_early(kernel, threads, end):
    function, arrays, part_done = _large(kernel)
    inputs = [tf.placeholder(a.dtype, a.shape) for a in arrays]
    config = tf.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=1)
    config.operation_timeout_in_ms = 20 if end == "limit" else 0
    closing = []
    with tf.Session(config=config) as sess:
        step = sess.make_callable(function(*inputs).op, inputs)
        act, error = {
            "ctrl_c": (interrupt, KeyboardInterrupt),
            "close": (lambda: closing.append(close_meanwhile(sess)), tf.errors.CancelledError),
            "limit": (lambda: None, tf.errors.DeadlineExceededError),
        }[end]
        with SignalPolls(lambda: sess._engine.active_runs() > 0, act, at=2) as polls, pytest.raises(error):
            step(*arrays)
    for thread in closing:
        thread.join()
    assert part_done() < 0.5, "most of the work was done all the same"
    assert polls.after_the_act <= 2, "the kernel went on"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kernel", _KERNELS)
def test_one_big_eager_operation_ends_early(kernel, threads):
    function, arrays, part_done = _large(kernel)
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    with tf.EagerSession(config=config) as session:
        inputs = [tf.constant(a) if a.dtype == object else tf.from_dlpack(a) for a in arrays]  # shares the memory
        assert part_done() == 0
        with SignalPolls(lambda: session.stats().active_ops > 0, interrupt, at=2), pytest.raises(KeyboardInterrupt):
            function(*inputs)
        assert part_done() < 0.5, "most of the work was done all the same"
