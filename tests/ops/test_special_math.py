"""The beta function and Bessel functions, and their gradients where they need care."""

import numpy as np
from scipy import special

import tinytf as tf


def _run(fetches):
    with tf.Session() as session:
        return session.run(fetches)


def test_lbeta():
    x = np.array([[0.5, 2.0, 3.0], [1.0, 1.0, 7.0]])
    result = tf.lbeta(tf.constant(x))
    assert tf.math.lbeta is tf.lbeta and result.shape.as_list() == [2] and result.op.name == "lbeta/sub"
    np.testing.assert_allclose(_run(result), special.gammaln(x).sum(1) - special.gammaln(x.sum(1)), rtol=1e-12)
    np.testing.assert_array_equal(_run(tf.lbeta(tf.zeros([2, 0]))), [-np.inf, -np.inf])


def test_bessel():
    x = np.array([-3.0, -0.5, 0.0, 1.0, 30.0])
    made = [tf.math.bessel_i0(x), tf.math.bessel_i1(x)]
    assert [t.op.name for t in made] == ["bessel_i0/mul", "bessel_i1/mul"]
    first, second = _run(made)
    np.testing.assert_allclose(first, special.i0(x), rtol=1e-13)
    np.testing.assert_allclose(second, special.i1(x), rtol=1e-13)


def test_gradients_of_bessel_functions_at_zero():
    x = tf.constant([0.0, 1e-30])
    made = [tf.gradients(f(x), x)[0] for f in (tf.math.bessel_i0e, tf.math.bessel_i1e)]
    i0e, i1e = _run(made)
    np.testing.assert_array_equal(i0e, [0, -1])
    np.testing.assert_array_equal(i1e, [0.5, 0.5])


def test_zeta_far_away():
    x = np.array([2.0, 3.0, 2.0, 3.0, 1.5, 30.0, 100.0, 60.0, 2.0, 1e20, 1e9, np.inf, 4.0])
    q = np.array([1e20, 1e20, -99.5, -99.25, 1e9, 1e-5, 0.5, 60.0, -1e9 - 0.5, 1.5, 2.0, 1.5, -0.5])
    with np.errstate(over="ignore"):
        expected = special.zeta(x, np.where(q > 0, q, 1))
    # For q < 0 the terms below 0 are added explicitly.
    for i in np.flatnonzero((q < 0) & (q > -1000)):
        k = np.arange(int(np.ceil(-q[i])))
        expected[i] = np.sum((q[i] + k) ** -x[i]) + special.zeta(x[i], q[i] + len(k))
    expected[8] = 2 * special.zeta(2.0, 0.5) - 1e-9  # both halves, except the last term of the lower one
    expected[9:12] = 0
    np.testing.assert_allclose(_run(tf.zeta(x, q)), expected, rtol=2e-13)
    np.testing.assert_array_equal(_run(tf.zeta([2.0, 2.0, 1.0], [-3.0, 0.0, -0.5])), [np.inf] * 3)
    assert np.isnan(_run(tf.zeta([0.5, 2.0, np.nan, 2.5], [1.0, np.nan, 1.0, -0.5]))).all()


def test_polygamma_far_away():
    n = np.array([1.0, 2.0, 1.0, 5.0, 1e9, np.inf])
    x = np.array([1e20, 1e9, -1000.5, 0.25, 2.0, 2.0])
    result = _run(tf.polygamma(n, x))
    np.testing.assert_allclose(result[:2], special.polygamma([1, 2], [1e20, 1e9]), rtol=1e-12)
    np.testing.assert_allclose(result[2], np.pi**2 - special.polygamma(1, 1001.5), rtol=1e-12)  # reflection formula
    np.testing.assert_allclose(result[3], special.polygamma(5, 0.25), rtol=1e-12)
    assert np.isnan(result[4:]).all()


def test_logarithms_of_halves_are_rounded_before_they_are_multiplied():
    rng = np.random.default_rng(0)
    x, y = rng.uniform(0, 1, (2, 1000)).astype(np.float16)
    logarithm = np.log(y.astype(np.float32)).astype(np.float16)
    assert np.any(x * logarithm != (x.astype(np.float32) * np.log(y.astype(np.float32))).astype(np.float16))
    np.testing.assert_array_equal(_run(tf.math.xlogy(x, y)), np.where(x == 0, np.float16(0), x * logarithm))
    np.testing.assert_array_equal(_run(tf.math.xlogy(np.float16([0, 0]), np.float16([0, -1]))), [0, 0])
