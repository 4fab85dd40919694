"""Quantiles of the normal distribution by rational approximation (Moshier, Cephes Mathematical Library: ndtri)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tinytf as tf

# Numerators and denominators, constant terms first: in (p - 1/2)² for central p; in 1/z, where z² = -2 log p, for small
# p and for very small p.
_MIDDLE = (
    (-1.23916583867381258016e0, 1.39312609387279679503e1, -5.66762857469070293439e1, 9.80010754185999661536e1)
    + (-5.99633501014107895267e1,),
    (-1.18331621121330003142e0, 1.59056225126211695515e1, -8.20372256168333339912e1, 2.00260212380060660359e2)
    + (-2.25462687854119370527e2, 8.63602421390890590575e1, 4.67627912898881538453e0, 1.95448858338141759834e0, 1.0),
)
_SMALL = (
    (-8.57456785154685413611e-4, -3.50424626827848203418e-2, -1.40256079171354495875e-1, 2.18663306850790267539e0)
    + (1.46849561928858024014e1, 4.40805073893200834700e1, 5.71628192246421288162e1, 3.15251094599893866154e1)
    + (4.05544892305962419923e0,),
    (-9.33259480895457427372e-4, -3.80806407691578277194e-2, -1.42182922854787788574e-1, 2.50464946208309415979e0)
    + (1.50425385692907503408e1, 4.13172038254672030440e1, 4.53907635128879210584e1, 1.57799883256466749731e1, 1.0),
)
_VERY_SMALL = (
    (6.23974539184983293730e-9, 2.65806974686737550832e-6, 3.01581553508235416007e-4, 1.23716634817820021358e-2)
    + (2.01485389549179081538e-1, 1.33303460815807542389e0, 3.93881025292474443415e0, 6.91522889068984211695e0)
    + (3.23774891776946035970e0,),
    (6.79019408009981274425e-9, 2.89247864745380683936e-6, 3.28014464682127739104e-4, 1.34204006088543189037e-2)
    + (2.16236993594496635890e-1, 1.37702099489081330271e0, 3.67983563856160859403e0, 6.02427039364742014255e0, 1.0),
)
_TAIL = np.exp(-2.0)  # smallest central p


def standard_normal_quantile(p: Any) -> Any:
    """Returns the quantile of the standard normal distribution at `p`, a float32 value in (0, 1).

    The names of the nodes are the ones that a `Normal` distribution object would create.
    """
    with tf.name_scope("Normal") as scope:
        loc, scale = tf.identity(0.0, name="loc"), tf.identity(1.0, name="scale")
    with tf.name_scope(scope), tf.name_scope("quantile"):
        p = tf.convert_to_tensor(p, dtype=tf.float32, name="value")
        with tf.name_scope("ndtri"):
            z = _ndtri(p)
        with tf.name_scope("reconstruct"):
            return z * scale + loc


def _ndtri(p: Any) -> Any:
    small = tf.where_v2(p > -np.expm1(-2.0), 1.0 - p, p)
    small = tf.where_v2(small <= 0.0, tf.fill(tf.shape(p), np.array(0.5, np.float32)), small)
    w = small - 0.5
    ww = w**2
    middle = w + w * ww * _ratio(ww, _MIDDLE)
    middle *= -np.sqrt(2.0 * np.pi)
    z = tf.sqrt(-2.0 * tf.log(small))
    first = z - tf.log(z) / z
    second = [_inverse_ratio(z, of) for of in (_VERY_SMALL, _SMALL)]
    very_far, far = (first - each for each in second)
    x = tf.where_v2(small > _TAIL, middle, tf.where_v2(z >= 8.0, very_far, far))
    x = tf.where_v2(p > 1.0 - _TAIL, x, -x)
    infinity = tf.constant(np.inf, dtype=tf.float32)
    infinity = tf.fill(tf.shape(p), infinity)
    return tf.where_v2(p <= 0.0, -infinity, tf.where_v2(p >= 1.0, infinity, x))


def _ratio(x: Any, of: tuple[Sequence[float], Sequence[float]]) -> Any:
    return _polynomial(x, of[0]) / _polynomial(x, of[1])


def _inverse_ratio(z: Any, of: tuple[Sequence[float], Sequence[float]]) -> Any:
    return _polynomial(1.0 / z, of[0]) / _polynomial(1.0 / z, of[1]) / z


def _polynomial(x: Any, coefficients: Sequence[float]) -> Any:
    value = tf.zeros_like(x)
    for coefficient in reversed(coefficients):
        value = np.float32(coefficient) + value * x
    return value
