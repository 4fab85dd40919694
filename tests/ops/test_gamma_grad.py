"""Derivatives of the incomplete gamma functions beyond the range of the op table, and of gamma variates."""

import numpy as np
import pytest
from scipy import special

import tinytf as tf
from tinytf._gen import gen_ops


def _run(fetches):
    with tf.Session() as session:
        return session.run(fetches)


def test_limits():
    a = tf.constant([1.0, 1.0, 0.0, 1.0, np.nan], tf.float64)
    x = tf.constant([0.0, np.inf, 1.0, -1.0, 1.0], tf.float64)
    np.testing.assert_array_equal(_run(gen_ops.igamma_grad_a(a, x)), [0, 0, np.nan, np.nan, np.nan])
    assert _run(gen_ops.random_gamma_grad(a, x))[0] == 0


@pytest.mark.parametrize("a", [1e-3, 0.5, 30.0, 1e4, 1e6])
def test_derivatives_agree_with_differences(a):
    x = a + np.sqrt(a) * np.array([-0.9, -0.1, 0.0, 0.1, 3.0])
    step = 1e-5 * max(1.0, np.sqrt(a)) * min(a, 1.0)
    by_a = (special.gammainc(a + step, x) - special.gammainc(a - step, x)) / (2 * step)
    np.testing.assert_allclose(_run(gen_ops.igamma_grad_a(tf.constant(a, tf.float64), x)), by_a, rtol=1e-6)
    below = special.gammainc(a, x)
    by_alpha = (special.gammaincinv(a + step, below) - special.gammaincinv(a - step, below)) / (2 * step)
    np.testing.assert_allclose(_run(gen_ops.random_gamma_grad(tf.constant(a, tf.float64), x)), by_alpha, rtol=1e-6)


def test_gradient_of_igamma_at_zero():
    a, x = tf.constant([1.0, 2.0]), tf.constant([0.0, 0.0])
    for function, sign in ((tf.igamma, 1), (tf.igammac, -1)):
        by_a, by_x = tf.gradients(function(a, x), [a, x])
        np.testing.assert_array_equal(_run(by_a), [0, 0])
        np.testing.assert_array_equal(_run(by_x), [sign, 0])


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
@pytest.mark.parametrize("shape", [[], [4], [3, 5]], ids=str)
def test_gradient_of_samples_sums_over_the_samples(shape, dtype):
    alpha = tf.constant([[0.3], [2.0]], dtype)
    samples = tf.random_gamma(shape, alpha, dtype=dtype, seed=1)
    weights = np.arange(1, 1 + 2 * np.prod(shape, dtype=int), dtype=dtype.as_numpy_dtype).reshape([*shape, 2, 1])
    [gradient] = tf.gradients(samples, alpha, weights)
    partial = gen_ops.random_gamma_grad(alpha, samples)
    drawn, got, by_element = _run([samples, gradient, partial])
    assert got.shape == (2, 1) and (drawn > 0).all()
    expected = (weights * by_element).sum(tuple(range(len(shape))))
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_gradient_of_the_mean_and_by_the_rate():
    """The gradients agree with the mean of gamma(alpha, beta), which is alpha / beta."""
    alpha, beta = tf.constant([0.5, 3.0], tf.float64), tf.constant(2.0, tf.float64)
    mean = tf.reduce_mean(tf.random_gamma([40000], alpha, beta, dtype=tf.float64, seed=7), 0)
    by_alpha, by_beta = _run(tf.gradients(mean, [alpha, beta]))
    np.testing.assert_allclose(by_alpha, [0.5, 0.5], rtol=0.03)
    np.testing.assert_allclose(by_beta, -3.5 / 4, rtol=0.03)


def test_samples_of_half_have_no_gradient():
    alpha = tf.constant(2.0, tf.float16)
    samples = tf.random_gamma([3], alpha, dtype=tf.float16)
    with pytest.raises(TypeError):
        tf.gradients(samples, alpha)
