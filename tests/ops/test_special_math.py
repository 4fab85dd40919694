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
