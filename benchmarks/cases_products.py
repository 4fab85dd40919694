"""Matrix products and convolution."""

from __future__ import annotations

import numpy as np
from case import Case, sessions

# n: (GFLOP/s to reach, GFLOP/s of the best peer on the same machine), for square float32 products.
SGEMM = {64: (60, None), 128: (88, 84), 256: (95, 91), 512: (97, None), 1024: (98, 94)}
# Number of rows: microseconds to reach.
FEW_ROWS = {1: 100, 2: 130, 4: 160, 8: 220}
CONSTANT_WEIGHTS = {32: 500, 64: 950, 128: 1850}
WEIGHTS = 1024
IMAGES, FILTER = (16, 56, 56, 64), (3, 3, 64, 64)


def _normal(*shape):
    return np.random.default_rng(0).standard_normal(shape, np.float32)


def _product(n):
    a, b = _normal(n, n), _normal(n, n)
    return {
        **sessions(lambda peer: peer.program(lambda x, y: peer.tf.matmul(x, y), a, b)),
        "torch": lambda peer: peer.program(lambda x, y: x @ y, a, b),
        "onnxruntime": lambda peer: peer.program([("MatMul", ["a", "b"], ["c"], {})], {"a": a, "b": b}),
        "numpy": lambda peer: lambda: a @ b,
    }


def _few_rows(rows):
    """A few rows times a square weight matrix, as at the end of small batches; the bound is reading the weights
    once.
    """
    x, w = _normal(rows, WEIGHTS), _normal(WEIGHTS, WEIGHTS)
    return {
        **sessions(lambda peer: peer.program(lambda x, w: peer.tf.matmul(x, w), x, w)),
        "torch": lambda peer: peer.program(lambda x, w: x @ w, x, w),
        "onnxruntime": lambda peer: peer.program([("MatMul", ["a", "b"], ["c"], {})], {"a": x, "b": w}),
        "numpy": lambda peer: lambda: x @ w,
    }


def _constant_weights(rows):
    """A few rows times a constant square weight matrix, as in a frozen graph; the matrix is packed once, not in
    each step.
    """
    x, w = _normal(rows, WEIGHTS), _normal(WEIGHTS, WEIGHTS)
    return {
        **sessions(lambda peer: peer.program(lambda x: peer.tf.matmul(x, peer.tf.constant(w)), x)),
        "torch": lambda peer: peer.program(lambda x, w: x @ w, x, w),
        "onnxruntime": lambda peer: peer.program([("MatMul", ["a", "b"], ["c"], {})], {"a": x}, b=w),
        "numpy": lambda peer: lambda: x @ w,
    }


def _tf_convolution(peer):
    build = lambda x, w: peer.tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME")  # noqa: E731
    return peer.program(build, _normal(*IMAGES), _normal(*FILTER))


def _channels_first():
    images = np.ascontiguousarray(_normal(*IMAGES).transpose(0, 3, 1, 2))
    return images, np.ascontiguousarray(_normal(*FILTER).transpose(3, 2, 0, 1))


def _torch_convolution(peer):
    return peer.program(lambda x, w: peer.torch.nn.functional.conv2d(x, w, padding=1), *_channels_first())


def _onnx_convolution(peer):
    images, filters = _channels_first()
    return peer.program([("Conv", ["x", "w"], ["y"], {"pads": [1, 1, 1, 1]})], {"x": images}, w=filters)


CASES = [
    *(
        Case(f"sgemm_{n}", f"SGEMM, n = {n}", "GFLOP/s", target, _product(n), work=2 * n**3, reference=best)
        for n, (target, best) in SGEMM.items()
    ),
    *(
        Case(f"few_rows_{rows}", f"{rows} x {WEIGHTS} by {WEIGHTS} x {WEIGHTS}", "µs", target, _few_rows(rows))
        for rows, target in FEW_ROWS.items()
    ),
    *(
        Case(
            f"constant_weights_{rows}",
            f"{rows} x {WEIGHTS} by {WEIGHTS} x {WEIGHTS} constant",
            "µs",
            target,
            _constant_weights(rows),
        )
        for rows, target in CONSTANT_WEIGHTS.items()
    ),
    Case(
        "conv",
        "conv 3x3, 16x56x56x64 -> 64",
        "ms",
        33,
        sessions(_tf_convolution, torch=_torch_convolution, onnxruntime=_onnx_convolution),
        reference=37,
    ),
]
