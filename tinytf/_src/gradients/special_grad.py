"""Gradients of special functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops as g
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import after, broadcast_axes, conj, reduced, reduced_by
from tinytf._src.ops import array_ops, math_ops


def _const(value: float, like: Any) -> Any:
    return constant(value, dtype=like.dtype.base_dtype)


def _reduced_after(x: Any, y: Any, grad: Any, partial_x: Any, partial_y: Any) -> Any:
    """Builds the partial derivatives, then their products with `grad`, and sums these over broadcast dimensions."""
    axes = None if executing_eagerly() else broadcast_axes(x, y)
    with after(grad):
        partials = [None if make is None else make() for make in (partial_x, partial_y)]
        products = [None if p is None else (lambda p=p: p * grad) for p in partials]
        return reduced(x, y, grad, *products) if axes is None else reduced_by(axes, *products)


@gradient_of("ReciprocalGrad")
def _reciprocal_grad(op: Any, grad: Any) -> Any:
    b = op.inputs[1]
    with after(grad):
        ca, cg = conj(op.inputs[0]), conj(grad)
        return cg * -2.0 * b * ca, g.reciprocal_grad(ca, grad)


gradient_of("InvGrad")(_reciprocal_grad)


@gradient_of("Digamma")
def _digamma(op: Any, grad: Any) -> Any:
    with after(grad):
        x = conj(op.inputs[0])
        return grad * g.polygamma(_const(1, x), x)


@gradient_of("Polygamma")
def _polygamma(op: Any, grad: Any) -> Any:
    n, x = op.inputs
    return _reduced_after(n, x, grad, None, lambda: g.polygamma(n + 1, x))


@gradient_of("Zeta")
def _zeta(op: Any, grad: Any) -> Any:
    x, q = op.inputs
    return _reduced_after(x, q, grad, None, lambda: -x * g.zeta(x + 1, q))


@gradient_of("Igamma")
def _igamma(op: Any, grad: Any) -> Any:
    a, x = op.inputs

    def partial_x() -> Any:
        # xlogy, because TensorFlow's product with log(x) is NaN for a = 1 and x = 0.
        return g.exp(-x + g.xlogy(a - 1, x) - g.lgamma(a))

    return _reduced_after(a, x, grad, lambda: g.igamma_grad_a(a, x), partial_x)


@gradient_of("Igammac")
def _igammac(op: Any, grad: Any) -> Any:
    return [-part for part in _igamma(op, grad)]


@gradient_of("BesselI0e")
def _bessel_i0e(op: Any, grad: Any) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    with after(grad):
        partial = g.bessel_i1e(x) - g.sign(x) * y
        return grad * partial


@gradient_of("BesselI1e")
def _bessel_i1e(op: Any, grad: Any) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    with after(grad):
        # The limit of I1(x) / x at 0 is 1/2.
        epsilon = np.finfo(x.dtype.base_dtype.as_numpy_dtype).eps
        zeros = array_ops.zeros_like(x)
        usable = math_ops.abs(x) > epsilon
        safe = g.select(usable, x, epsilon + zeros)
        slope = g.bessel_i0e(safe) - y * (g.sign(safe) + g.reciprocal(safe))
        return grad * g.select(usable, slope, 0.5 + zeros)


@gradient_of("Betainc")
def _betainc(op: Any, grad: Any) -> Any:
    a, b, x = op.inputs
    # Gradients for a and b are not implemented, as in TensorFlow.
    other = grad if x._shape_tuple() == () else a
    axes = None if executing_eagerly() else broadcast_axes(other, x)
    log_beta = g.lgamma(a) + g.lgamma(b) - g.lgamma(a + b)
    partial = g.exp((b - 1) * g.log1p(-x) + g.xlogy(a - 1, x) - log_beta)
    if axes is None:
        return [None, *reduced(other, x, grad, None, lambda: partial * grad)]
    return [None, *reduced_by(axes, None, lambda: partial * grad)]


@gradient_of("NextAfter")
def _nextafter(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    if executing_eagerly():
        return reduced(x, y, grad, lambda: grad, lambda: g.zeros_like(grad))
    (shape_x, axes_x), (shape_y, axes_y) = broadcast_axes(x, y)
    with after(grad):
        ones, zeros = array_ops.ones(shape_x, dtype=x.dtype), array_ops.zeros(shape_y, dtype=y.dtype)
        return reduced_by([(shape_x, axes_x), (shape_y, axes_y)], lambda: ones * grad, lambda: zeros * grad)


@gradient_of("Angle")
def _angle(op: Any, grad: Any) -> Any:
    x = op.inputs[0]
    with after(grad):
        real, imag = math_ops.real(x), math_ops.imag(x)
        turned = g.reciprocal(math_ops.complex(imag, real))
        return -math_ops.complex(grad, _const(0, grad)) * turned


@gradient_of("Cross")
def _cross(op: Any, grad: Any) -> Any:
    a, b = op.inputs
    return g.cross(b, grad), g.cross(grad, a)
