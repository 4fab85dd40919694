"""Workloads on large arrays that are bound by memory bandwidth or vector units."""

from __future__ import annotations

import numpy as np
from case import Case, sessions
from formulas import FOUR_FUNCTIONS, TEN_OPS, numpy_formula, onnx_formula, tf_formula, torch_formula

MILLION = 1 << 20


def _uniform(*shape):
    return np.random.default_rng(0).random(shape, np.float32) + np.float32(0.5)


def _formula(formula):
    x = _uniform(MILLION)
    return {
        **sessions(lambda peer: peer.program(lambda v: tf_formula(peer.tf, formula, v), x)),
        "torch": lambda peer: peer.program(torch_formula(peer.torch, formula), x),
        "torch.compile": lambda peer: peer.program(torch_formula(peer.torch, formula), x),
        "onnxruntime": lambda peer: onnx_formula(peer, formula, x),
        "numpy": lambda peer: numpy_formula(formula, x),
    }


def _tf(build, *shape):
    """A session program on one array; `build` is called with `tf` and a variable."""
    return lambda peer: peer.program(lambda v: build(peer.tf, v), _uniform(*shape))


def _torch(function, *shape):
    """A program that calls `function` with `torch` and a tensor."""
    return lambda peer: peer.program(lambda x: function(peer.torch, x), _uniform(*shape))


def _numpy(function, *shape):
    def program(peer):
        x = _uniform(*shape)
        return lambda: function(x)

    return program


def _onnx(operator, *shape, **attributes):
    return lambda peer: peer.program([(operator, ["x"], ["y"], attributes)], {"x": _uniform(*shape)})


def _power(exponent):
    """`x ** exponent`, with as many floats as the activations of one layer of a small transformer."""
    shape = (128, 3072)
    return {
        **sessions(_tf(lambda tf, v: tf.pow(v, exponent), *shape)),
        "torch": _torch(lambda torch, x: torch.pow(x, exponent), *shape),
        "numpy": _numpy(lambda x: np.power(x, np.float32(exponent)), *shape),
    }


def _cube_by_products(peer):
    return _tf(lambda tf, v: v * v * v, 128, 3072)(peer)


def _onnx_top_k(peer):
    node = ("TopK", ["x", "k"], ["values", "indices"], {})
    return peer.program([node], {"x": _uniform(1024, 10000)}, k=np.array([10]))


def _tf_random(peer):
    return peer.session().make_callable(peer.tf.random_normal([16 * MILLION], seed=1))


def _numpy_random(peer):
    generator = np.random.default_rng(0)
    return lambda: generator.standard_normal(16 * MILLION, np.float32)


SQUARE = (4096, 4096)

CASES = [
    Case(
        "ten_ops",
        "10 element-wise ops on 1 M floats",
        "ms",
        0.34,
        _formula(TEN_OPS),
        reference=0.34,
        two_threads=(0.22, 0.23),
    ),
    Case("four_functions", "tanh, exp, sigmoid, log on 1 M", "ms", 1.2, _formula(FOUR_FUNCTIONS), reference=1.9),
    Case("cube", "x ** 3 of 128 x 3072", "µs", 210, _power(3.0)),
    Case("cube_by_products", "x * x * x of 128 x 3072", "µs", 175, sessions(_cube_by_products)),
    Case("square_root_by_power", "x ** 0.5 of 128 x 3072", "µs", 250, _power(0.5)),
    Case("power", "x ** 2.7 of 128 x 3072", "µs", 600, _power(2.7)),
    Case(
        "column_sums",
        "column sums of 4096²",
        "ms",
        3,
        sessions(
            _tf(lambda tf, v: tf.reduce_sum(v, 0), *SQUARE),
            torch=_torch(lambda torch, x: x.sum(0), *SQUARE),
            numpy=_numpy(lambda x: x.sum(0), *SQUARE),
        ),
        reference=3.1,
    ),
    Case(
        "transpose",
        "transpose of 4096²",
        "ms",
        40,
        sessions(
            _tf(lambda tf, v: tf.transpose(v), *SQUARE),
            torch=_torch(lambda torch, x: x.t().contiguous(), *SQUARE),
            onnxruntime=_onnx("Transpose", *SQUARE),
            numpy=_numpy(lambda x: np.ascontiguousarray(x.T), *SQUARE),
        ),
        reference=57,
    ),
    Case(
        "softmax",
        "softmax of 4096 x 1000",
        "ms",
        2,
        sessions(
            _tf(lambda tf, v: tf.nn.softmax(v), 4096, 1000),
            torch=_torch(lambda torch, x: torch.softmax(x, 1), 4096, 1000),
            onnxruntime=_onnx("Softmax", 4096, 1000, axis=-1),
        ),
        reference=2.2,
    ),
    Case(
        "random_normal",
        "random_normal, 16 M floats",
        "ms",
        80,
        sessions(
            _tf_random,
            torch=lambda peer: peer.program(lambda: peer.torch.randn(16 * MILLION)),
            numpy=_numpy_random,
        ),
        reference=106,
    ),
    Case(
        "top_k",
        "top_k of 1024 x 10,000, k = 10",
        "ms",
        8,
        sessions(
            _tf(lambda tf, v: tf.nn.top_k(v, 10), 1024, 10000),
            torch=_torch(lambda torch, x: torch.topk(x, 10), 1024, 10000),
            onnxruntime=_onnx_top_k,
        ),
        reference=16,
    ),
]
