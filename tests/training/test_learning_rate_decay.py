"""Learning-rate decays agree with their formulas."""

import math

import numpy as np
import pytest

import tinytf as tf
from tinytf import train

_STEPS = [0, 1, 5, 9, 10, 11, 25, 40]


def _half_cosine(x):
    return 0.5 * (1 + math.cos(math.pi * x))


def _restarts(s, first=10, longer=2.0, weaker=0.5, alpha=0.1):
    rate, length = 1.0, first
    while s >= length:
        s, length, rate = s - length, length * longer, rate * weaker
    return 0.8 * ((1 - alpha) * rate * _half_cosine(s / length) + alpha)


_CASES = {
    "exponential": (lambda s: train.exponential_decay(0.8, s, 10, 0.5), lambda s: 0.8 * 0.5 ** (s / 10)),
    "staircase": (lambda s: train.exponential_decay(0.8, s, 10, 0.5, True), lambda s: 0.8 * 0.5 ** (s // 10)),
    "natural": (lambda s: train.natural_exp_decay(0.8, s, 10, 0.5), lambda s: 0.8 * math.exp(-0.5 * s / 10)),
    "inverse": (lambda s: train.inverse_time_decay(0.8, s, 10, 0.5), lambda s: 0.8 / (1 + 0.5 * s / 10)),
    "polynomial": (
        lambda s: train.polynomial_decay(0.8, s, 10, 0.1, power=2.0),
        lambda s: 0.7 * (1 - min(s, 10) / 10) ** 2 + 0.1,
    ),
    "cycle": (
        lambda s: train.polynomial_decay(0.8, s, 10, 0.1, cycle=True),
        lambda s: 0.7 * (1 - s / (10 * max(1, math.ceil(s / 10)))) + 0.1,
    ),
    "piecewise": (
        lambda s: train.piecewise_constant(s, [5, 10], [1.0, 0.5, 0.1]),
        lambda s: 1.0 if s <= 5 else 0.5 if s <= 10 else 0.1,
    ),
    "cosine": (
        lambda s: train.cosine_decay(0.8, s, 10, alpha=0.1),
        lambda s: 0.8 * (0.9 * _half_cosine(min(s, 10) / 10) + 0.1),
    ),
    "restarts": (lambda s: train.cosine_decay_restarts(0.8, s, 10, 2.0, 0.5, 0.1), _restarts),
    "even restarts": (
        lambda s: train.cosine_decay_restarts(0.8, s, 10, 1.0, 0.5, 0.1),
        lambda s: _restarts(s, longer=1.0),
    ),
    "linear cosine": (
        lambda s: train.linear_cosine_decay(0.8, s, 10),
        lambda s: 0.8 * ((1 - min(s, 10) / 10) * _half_cosine(min(s, 10) / 10) + 0.001),
    ),
    "noisy": (
        lambda s: train.noisy_linear_cosine_decay(0.8, s, 10, initial_variance=1e-14),
        lambda s: 0.8 * ((1 - min(s, 10) / 10) * _half_cosine(min(s, 10) / 10) + 0.001),
    ),
}


@pytest.mark.parametrize("case", _CASES)
def test_values(case):
    make, formula = _CASES[case]
    step = tf.placeholder(tf.int64, [])
    rate = make(step)
    assert rate.shape.ndims == 0 and rate.dtype == tf.float32
    with tf.Session() as sess:
        values = [sess.run(rate, {step: s}) for s in _STEPS]
    np.testing.assert_allclose(values, [formula(s) for s in _STEPS], rtol=1e-5, atol=1e-6)


def test_dtype_follows_the_rate():
    assert train.exponential_decay(tf.constant(0.8, tf.float64), 3, 10, 0.5).dtype == tf.float64


def test_names():
    assert train.exponential_decay(0.8, tf.constant(1), 10, 0.5).op.name == "ExponentialDecay"
    assert train.inverse_time_decay(0.8, tf.constant(1), 10, 0.5, name="rate").op.name == "rate"


def test_errors():
    for decay in (train.exponential_decay, train.natural_exp_decay, train.inverse_time_decay):
        with pytest.raises(ValueError, match=f"global_step is required for {decay.__name__}."):
            decay(0.8, None, 10, 0.5)
    with pytest.raises(ValueError, match="The length of boundaries should be 1 less than the length of values"):
        train.piecewise_constant(tf.constant(1), [1, 2], [0.1, 0.2])
    with pytest.raises(ValueError, match="must have the same dtype as x"):
        train.piecewise_constant(tf.constant(1), [1.5], [0.1, 0.2])
    with pytest.raises(ValueError, match="Values must have elements all with the same dtype"):
        train.piecewise_constant(tf.constant(1), [1], [0.1, 2])


def test_an_optimizer_uses_it():
    step = train.create_global_step()
    w = tf.Variable(1.0)
    rate = train.piecewise_constant(step, [0], [0.5, 0.25])
    train_op = train.GradientDescentOptimizer(rate).minimize(w * 1.0, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = []
        for _ in range(3):
            sess.run(train_op)
            values.append(sess.run(w))
    np.testing.assert_allclose(values, [0.5, 0.25, 0.0], atol=1e-6)
