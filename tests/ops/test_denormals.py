"""Kernels treat denormal numbers as zero, as in TensorFlow; Python functions and NumPy keep them.

`denormals_1_15.json` holds the element-wise results of TensorFlow 1.15.5 for the inputs `X` and `Y`. Omitted are
functions with another approximation near the smallest normal number (sqrt, rsqrt, tanh, expm1), and functions with
opposite behavior: TensorFlow's xlogy and xdivy keep denormal numbers; here the gradients of relu and relu6 and the
first element of cumprod do, because they select and copy where TensorFlow multiplies by 1.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import tinytf as tf

_TINY = float(np.finfo(np.float32).tiny)
X = np.array(
    [1e-39, -1e-39, 1.1754942e-38, -1.1754942e-38, _TINY, 3e-38, -2e-38, 1e-45]
    + [0.0, -0.0, 1.0, -1.0, 0.5, -100.0, -95.0, 88.0],
    np.float32,
)
Y = np.array(
    [1e-39, 0.3, 1.0, 2.0, 0.5, 0.3, 0.9, 1e-39, 1e-39, -1e-39, 1e-39, 0.0, 1e38, 2.0, 1.0, -1.0],
    np.float32,
)
_RECORDED = json.loads((Path(__file__).parent / "denormals_1_15.json").read_text())


def _function(name):
    return next(getattr(module, name) for module in (tf, tf.math, tf.nn) if hasattr(module, name))


def _check(got, recorded, times):
    got = np.asarray(got)
    wanted = np.tile([float.fromhex(v) if isinstance(v, str) else v for v in recorded], times)
    if got.dtype.kind not in "fV":
        np.testing.assert_array_equal(got, wanted)
        return
    got = got.astype(np.float64)
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=0)
    zeros = wanted == 0
    np.testing.assert_array_equal(got[zeros], 0)


def _everywhere(make, *arrays):
    """Yields the results of `make` fed, constant-folded, and in eager execution."""
    with tf.Graph().as_default(), tf.Session() as sess:
        fed = [tf.placeholder(a.dtype, [None]) for a in arrays]
        yield sess.run(make(*fed), dict(zip(fed, arrays, strict=True)))
        yield sess.run(make(*map(tf.constant, arrays)))
    with tf.EagerSession():
        yield make(*map(tf.constant, arrays)).numpy()


@pytest.mark.parametrize("times", [1, 64])
@pytest.mark.parametrize("name", sorted(_RECORDED["unary"]))
def test_functions_of_one_number(name, times):
    for got in _everywhere(_function(name), np.tile(X, times)):
        _check(got, _RECORDED["unary"][name], times)


@pytest.mark.parametrize("times", [1, 64])
@pytest.mark.parametrize("name", sorted(_RECORDED["binary"]))
def test_functions_of_two_numbers(name, times):
    for got in _everywhere(_function(name), np.tile(X, times), np.tile(Y, times)):
        _check(got, _RECORDED["binary"][name], times)


@pytest.mark.parametrize("times", [1, 64])
@pytest.mark.parametrize("name", sorted(_RECORDED["cast"]))
def test_casts(name, times):
    for got in _everywhere(lambda x: tf.cast(x, name), np.tile(X, times)):
        _check(got, _RECORDED["cast"][name], times)


_SMALLEST = float(np.finfo(np.float16).smallest_subnormal)
HALVES = np.array([_SMALLEST, -_SMALLEST, 2.23e-5, -5.9e-6, 6.09e-5, 6.11e-5, 0.0, 1.0], np.float16)
ON_HALVES = {
    "add": (lambda x: x + x, lambda x: x + x),
    "double": (lambda x: tf.cast(x, tf.float64), lambda x: x.astype(np.float64)),
    "float": (lambda x: tf.cast(x, tf.float32), lambda x: x),
    "greater": (lambda x: tf.cast(x > 0.0, tf.float16), lambda x: x > 0),
    "multiply": (lambda x: x * 3.0, lambda x: x * 3),
    "reciprocal": (
        lambda x: tf.div_no_nan(tf.ones_like(x) * np.float16(0.25), x),
        lambda x: 0.25 / np.where(x, x, np.inf),
    ),
    "sigmoid": (lambda x: tf.sigmoid(x) - np.float16(0.5), lambda x: (1 / (1 + np.exp(-x))).astype(np.float16) - 0.5),
    "sqrt": (lambda x: tf.sqrt(tf.abs(x)), lambda x: np.sqrt(np.abs(x))),
    "square": (lambda x: tf.square(x * 4096.0), lambda x: (x * 4096) ** 2),
    "sum": (lambda x: tf.reduce_sum(tf.reshape(x, [-1, 1]), 1), lambda x: x),
    "max": (lambda x: tf.reduce_max(tf.reshape(x, [-1, 1]), 1), lambda x: x),
    "relu": (tf.nn.relu, lambda x: np.maximum(x, 0)),
    "segment_sum": (lambda x: tf.segment_sum(x, tf.range(tf.size(x))), lambda x: x),
    "cumsum": (lambda x: tf.reshape(tf.cumsum(tf.reshape(x, [1, -1]), 0), [-1]), lambda x: x),
    "bias": (lambda x: tf.nn.bias_add(tf.reshape(x, [-1, 1]), tf.zeros([1], tf.float16))[:, 0], lambda x: x),
}


@pytest.mark.parametrize("length", [1, 3, 8, 9, 67, 1000])
@pytest.mark.parametrize("name", ON_HALVES)
def test_subnormal_halves_are_normal_floats(name, length):
    """Denormal halves are converted exactly, both in the vectorized loop over eight elements and in its scalar
    remainder.
    """
    make, expected = ON_HALVES[name]
    x = np.resize(HALVES, length)
    with np.errstate(over="ignore"):
        wanted = expected(x.astype(np.float32)).astype(np.float64 if name == "double" else np.float16)
    for got in _everywhere(make, x):
        np.testing.assert_allclose(got.astype(np.float64), wanted.astype(np.float64), rtol=2e-3, atol=0)


def test_python_functions_keep_them():
    seen = []

    def half(x):
        seen.append(float(x[0] * np.float32(0.5)))
        return x

    x = tf.placeholder(tf.float32, [1])
    with tf.Session() as sess:
        (y,) = [tf.py_func(half, [x], tf.float32)]
        got = sess.run([y, y * 1.0], {x: [1e-39]})
    assert seen[0] == float(np.float32(1e-39) * np.float32(0.5)) > 0
    assert got[0][0] == np.float32(1e-39), "what passes through is not changed"
    assert got[1][0] == 0


@pytest.mark.parametrize("way", ["run", "partial_run", "eager"])
def test_the_caller_keeps_them_afterwards(way):
    tiny = np.array([1e-39], np.float32)
    if way == "eager":
        with tf.EagerSession():
            assert (tf.constant(tiny) * 1.0).numpy()[0] == 0
    else:
        x = tf.placeholder(tf.float32, [1])
        y = x * 1.0
        with tf.Session() as sess:
            if way == "run":
                assert sess.run(y, {x: tiny})[0] == 0
            else:
                handle = sess.partial_run_setup([y], [x])
                assert sess.partial_run(handle, y, {x: tiny})[0] == 0
    assert (tiny * np.float32(1))[0] > 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_first_element_of_cumsum(dtype):
    tiny = np.array([np.finfo(dtype).tiny / 4, 1], dtype)
    for got in _everywhere(tf.cumsum, tiny):
        assert got.tolist() == [0, 1]


_DOUBLES = {
    "log": tf.log,
    "lgamma": tf.lgamma,
    "atan2 of it": lambda x: tf.atan2(x, tf.constant([-1.0, -1.0, 1.0, 1.0], tf.float64)),
    "atan2 by it": lambda x: tf.atan2(tf.constant([-1.0, 0.0, 0.0, -0.0], tf.float64), x),
    "pow": lambda x: tf.pow(x, tf.constant([0.01, 3.0, -0.01, 0.5], tf.float64)),
    "xlogy": lambda x: tf.math.xlogy(tf.constant(2.0, tf.float64), x),
    "log1p": tf.log1p,
    "digamma": tf.digamma,
    "rsqrt": tf.rsqrt,
    "log of complex": lambda x: tf.real(tf.log(tf.cast(x, tf.complex128))),
}


@pytest.mark.parametrize("name", _DOUBLES)
def test_functions_of_double(name):
    """The math library scales denormal numbers by products, which are zero here and would give wrong results."""
    tiny = np.array([1e-310, -1e-310, 5e-324, -5e-324])
    zero = np.copysign(0.0, tiny)
    wanted = list(_everywhere(_DOUBLES[name], zero))[0]
    for got in _everywhere(_DOUBLES[name], tiny):
        np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-300)
