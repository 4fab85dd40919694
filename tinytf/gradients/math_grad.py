"""Gradients of element-wise ops, casts and matrix products."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tinytf._gen import gen_ops as g
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.gradients.registry import RegisterGradient
from tinytf.gradients.support import after, conj, unbroadcast, wants_gradient


def _const(value: float, like: Any) -> Any:
    return constant(value, dtype=like.dtype.base_dtype)


# -- One input --------------------------------------------------------------------------------------------------------


@RegisterGradient("Abs")
def _abs(op: Any, grad: Any) -> Any:
    return g.mul(grad, g.sign(op.inputs[0]))


@RegisterGradient("Neg")
def _neg(_: Any, grad: Any) -> Any:
    return g.neg(grad)


@RegisterGradient("Square")
def _square(op: Any, grad: Any) -> Any:
    with after(grad):
        x = conj(op.inputs[0])
        return g.mul(grad, g.mul(_const(2.0, x), x))


@RegisterGradient("Sqrt")
def _sqrt(op: Any, grad: Any) -> Any:
    return g.sqrt_grad(op.outputs[0], grad)


@RegisterGradient("SqrtGrad")
def _sqrt_grad(op: Any, grad: Any) -> Any:
    y = op.outputs[0]
    with after(grad):
        ga = g.real_div(grad, op.inputs[0])
        return g.mul(g.neg(conj(ga)), y), g.mul(_const(0.5, ga), ga)


@RegisterGradient("Rsqrt")
def _rsqrt(op: Any, grad: Any) -> Any:
    return g.rsqrt_grad(op.outputs[0], grad)


@RegisterGradient("RsqrtGrad")
def _rsqrt_grad(op: Any, grad: Any) -> Any:
    a, b = op.inputs
    with after(grad):
        ca = conj(a)
        cg = conj(grad)
        squared = g.square(ca)
        return g.mul(g.mul(g.mul(_const(-1.5, ca), cg), b), squared), g.rsqrt_grad(ca, grad)


@RegisterGradient("Reciprocal")
def _reciprocal(op: Any, grad: Any) -> Any:
    y = op.outputs[0]
    return g.mul(g.neg(grad), g.square(conj(y)))


RegisterGradient("Inv")(_reciprocal)


@RegisterGradient("Exp")
def _exp(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.mul(grad, conj(op.outputs[0]))


@RegisterGradient("Expm1")
def _expm1(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.mul(grad, g.exp(conj(op.inputs[0])))


@RegisterGradient("Log")
def _log(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.mul(grad, g.reciprocal(conj(op.inputs[0])))


@RegisterGradient("Log1p")
def _log1p(op: Any, grad: Any) -> Any:
    with after(grad):
        x = conj(op.inputs[0])
        return g.mul(grad, g.reciprocal(g.add(_const(1.0, x), x)))


@RegisterGradient("Tanh")
def _tanh(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.tanh_grad(conj(op.outputs[0]), grad)


@RegisterGradient("TanhGrad")
def _tanh_grad(op: Any, grad: Any) -> Any:
    with after(grad):
        a, b = conj(op.inputs[0]), conj(op.inputs[1])
        return g.mul(g.mul(g.mul(grad, _const(-2.0, a)), b), a), g.tanh_grad(a, grad)


@RegisterGradient("Sigmoid")
def _sigmoid(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.sigmoid_grad(conj(op.outputs[0]), grad)


@RegisterGradient("SigmoidGrad")
def _sigmoid_grad(op: Any, grad: Any) -> Any:
    with after(grad):
        a, b = conj(op.inputs[0]), conj(op.inputs[1])
        gb = g.mul(grad, b)
        return g.sub(gb, g.mul(g.mul(_const(2.0, gb), gb), a)), g.sigmoid_grad(a, grad)


@RegisterGradient("Sign")
def _sign(op: Any, _: Any) -> Any:
    return g.zeros_like(op.inputs[0])


@RegisterGradient("Sin")
def _sin(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.mul(grad, g.cos(conj(op.inputs[0])))


@RegisterGradient("Cos")
def _cos(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.mul(g.neg(grad), g.sin(conj(op.inputs[0])))


@RegisterGradient("Tan")
def _tan(op: Any, grad: Any) -> Any:
    with after(grad):
        secant = g.reciprocal(g.cos(conj(op.inputs[0])))
        return g.mul(g.square(secant), grad)


@RegisterGradient("Asin")
def _asin(op: Any, grad: Any) -> Any:
    with after(grad):
        x = conj(op.inputs[0])
        return g.mul(grad, g.rsqrt(g.sub(_const(1.0, x), g.square(x))))


@RegisterGradient("Acos")
def _acos(op: Any, grad: Any) -> Any:
    with after(grad):
        x = conj(op.inputs[0])
        return g.neg(g.mul(grad, g.rsqrt(g.sub(_const(1.0, x), g.square(x)))))


@RegisterGradient("Atan")
def _atan(op: Any, grad: Any) -> Any:
    with after(grad):
        x = conj(op.inputs[0])
        return g.mul(grad, g.reciprocal(g.add(_const(1.0, x), g.square(x))))


@RegisterGradient("Sinh")
def _sinh(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.mul(grad, g.cosh(conj(op.inputs[0])))


@RegisterGradient("Cosh")
def _cosh(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.mul(grad, g.sinh(conj(op.inputs[0])))


@RegisterGradient("Asinh")
def _asinh(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.real_div(grad, g.cosh(conj(op.outputs[0])))


@RegisterGradient("Acosh")
def _acosh(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.real_div(grad, g.sinh(conj(op.outputs[0])))


@RegisterGradient("Atanh")
def _atanh(op: Any, grad: Any) -> Any:
    with after(grad):
        x = conj(op.inputs[0])
        return g.mul(grad, g.reciprocal(g.sub(_const(1.0, x), g.square(x))))


@RegisterGradient("Erf")
def _erf(op: Any, grad: Any) -> Any:
    x = op.inputs[0]
    with after(grad):
        return g.mul(g.mul(grad, _const(2 / math.sqrt(math.pi), grad)), g.exp(g.neg(g.square(conj(x)))))


@RegisterGradient("Erfc")
def _erfc(op: Any, grad: Any) -> Any:
    x = op.inputs[0]
    with after(grad):
        return g.mul(g.mul(grad, _const(-2 / math.sqrt(math.pi), grad)), g.exp(g.neg(g.square(conj(x)))))


@RegisterGradient("Lgamma")
def _lgamma(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.mul(grad, g.digamma(conj(op.inputs[0])))


def _as_complex(real: Any, imag: Any) -> Any:
    return g.complex(real, imag, dtypes.complex128 if real.dtype.base_dtype == dtypes.float64 else dtypes.complex64)


@RegisterGradient("Real")
def _real(_: Any, grad: Any) -> Any:
    return _as_complex(grad, _const(0, grad))


@RegisterGradient("Imag")
def _imag(_: Any, grad: Any) -> Any:
    zero = _const(0, grad)
    # The conjugate convention: d(imag)/dz is -i.
    return _as_complex(zero, grad)


@RegisterGradient("Complex")
def _complex(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return unbroadcast(x, y, grad, lambda: g.real(grad, x.dtype), lambda: g.imag(grad, y.dtype))


@RegisterGradient("Conj")
def _conj(_: Any, grad: Any) -> Any:
    return g.conj(grad)


@RegisterGradient("ComplexAbs")
def _complex_abs(op: Any, grad: Any) -> Any:
    zero = g.zeros_like(grad)
    return g.mul(g.div_no_nan(_as_complex(grad, zero), _as_complex(op.outputs[0], zero)), op.inputs[0])


@RegisterGradient("Cast")
def _cast(op: Any, grad: Any) -> Any:
    floats = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.complex64, dtypes.complex128)
    source, result = op.inputs[0].dtype.base_dtype, grad.dtype.base_dtype
    return g.cast(grad, source) if source in floats and result in floats else None


# -- Two inputs with broadcasting -------------------------------------------------------------------------------------


@RegisterGradient("Add")
def _add(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return unbroadcast(x, y, grad, lambda: grad, lambda: grad)


RegisterGradient("AddV2")(_add)


@RegisterGradient("Sub")
def _sub(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return unbroadcast(x, y, grad, lambda: grad, lambda: g.neg(grad))


@RegisterGradient("Mul")
def _mul(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return unbroadcast(x, y, grad, lambda: g.mul(grad, conj(y)), lambda: g.mul(conj(x), grad))


@RegisterGradient("RealDiv")
def _real_div(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    cx, cy = conj(x), conj(y)
    return unbroadcast(
        x, y, grad, lambda: g.real_div(grad, cy), lambda: g.mul(grad, g.real_div(g.real_div(g.neg(cx), cy), cy))
    )


RegisterGradient("Div")(_real_div)


@RegisterGradient("DivNoNan")
def _div_no_nan(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    cx, cy = conj(x), conj(y)
    return unbroadcast(
        x, y, grad, lambda: g.div_no_nan(grad, cy), lambda: g.mul(grad, g.div_no_nan(g.div_no_nan(g.neg(cx), cy), cy))
    )


@RegisterGradient("MulNoNan")
def _mul_no_nan(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return unbroadcast(x, y, grad, lambda: g.mul_no_nan(grad, y), lambda: g.mul_no_nan(x, grad))


@RegisterGradient("FloorDiv")
def _floor_div(_: Any, unused_grad: Any) -> Any:
    return None, None


@RegisterGradient("TruncateDiv")
def _truncate_div(_: Any, unused_grad: Any) -> Any:
    return None, None


@RegisterGradient("FloorMod")
def _floor_mod(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return unbroadcast(x, y, grad, lambda: grad, lambda: g.mul(grad, g.neg(g.floor_div(x, y))))


@RegisterGradient("SquaredDifference")
def _squared_difference(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    with after(grad):
        x_grad = g.mul(g.mul(_const(2.0, grad), grad), g.sub(x, y))
    return unbroadcast(x, y, grad, lambda: x_grad, lambda: g.neg(x_grad))


@RegisterGradient("Pow")
def _pow(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    cx, cy, z = conj(x), conj(y), conj(op.outputs[0])

    def grad_x() -> Any:
        return g.mul(g.mul(grad, cy), g.pow(cx, g.sub(cy, _const(1, cy))))

    def grad_y() -> Any:
        # log(x) only where it is real: elsewhere the derivative is taken as 0.
        usable = g.not_equal(cx, _const(0, cx)) if x.dtype.is_complex else g.greater(cx, _const(0, cx))
        safe = g.select(usable, cx, g.ones_like(cx))
        log = g.select(usable, g.log(safe), g.zeros_like(cx))
        return g.mul(g.mul(grad, z), log)

    return unbroadcast(x, y, grad, grad_x, grad_y)


def _extreme(op: Any, grad: Any, choose: Any) -> Any:
    x, y = op.inputs
    mask = choose(x, y)
    shape = g.shape(grad)
    zeros = g.fill(shape, _const(0, grad))
    return unbroadcast(x, y, grad, lambda: g.select(mask, grad, zeros), lambda: g.select(mask, zeros, grad))


@RegisterGradient("Maximum")
def _maximum(op: Any, grad: Any) -> Any:
    return _extreme(op, grad, g.greater_equal)


@RegisterGradient("Minimum")
def _minimum(op: Any, grad: Any) -> Any:
    return _extreme(op, grad, g.less_equal)


@RegisterGradient("Atan2")
def _atan2(op: Any, grad: Any) -> Any:
    y, x = op.inputs
    with after(grad):
        scaled = g.real_div(grad, g.add(g.square(x), g.square(y)))
        return unbroadcast(y, x, grad, lambda: g.mul(x, scaled), lambda: g.mul(g.neg(y), scaled))


@RegisterGradient("Xdivy")
def _xdivy(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    with after(grad):
        not_zero = g.cast(g.not_equal(x, _const(0.0, x)), x.dtype)
        return unbroadcast(
            x,
            y,
            grad,
            lambda: g.mul(g.xdivy(not_zero, y), grad),
            lambda: g.mul(g.xdivy(g.neg(x), g.square(y)), grad),
        )


@RegisterGradient("Xlogy")
def _xlogy(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    with after(grad):
        not_zero = g.cast(g.not_equal(x, _const(0.0, x)), x.dtype)
        return unbroadcast(x, y, grad, lambda: g.mul(g.xlogy(not_zero, y), grad), lambda: g.mul(g.xdivy(x, y), grad))


# -- Choosing, adding up ----------------------------------------------------------------------------------------------


@RegisterGradient("Select")
def _select(op: Any, grad: Any) -> Any:
    condition, x = op.inputs[0], op.inputs[1]
    zeros = g.zeros_like(x)
    return None, g.select(condition, grad, zeros), g.select(condition, zeros, grad)


@RegisterGradient("SelectV2")
def _select_v2(op: Any, grad: Any) -> Any:
    condition, x, y = op.inputs
    zeros = _const(0, grad)

    def reduced(gradient: Any, like: Any) -> Any:
        shape = g.shape(like)
        axes = g.broadcast_gradient_args(shape, g.shape(gradient))[0]
        return g.reshape(g.sum(gradient, axes, keep_dims=True), shape)

    return None, reduced(g.select_v2(condition, grad, zeros), x), reduced(g.select_v2(condition, zeros, grad), y)


@RegisterGradient("AddN")
def _add_n(op: Any, grad: Any) -> Any:
    return [grad] * len(op.inputs)


@RegisterGradient("AccumulateNV2")
def _accumulate_n(op: Any, grad: Any) -> Any:
    return [grad] * len(op.inputs)


@RegisterGradient("ClipByValue")
def _clip_by_value(op: Any, grad: Any) -> Any:
    x, low, high = op.inputs
    zeros = g.zeros_like(grad)
    below, above = g.less(x, low), g.greater(x, high)
    inside = g.select(g.logical_or(below, above), zeros, grad)

    def reduced(mask: Any, like: Any) -> Any:
        shape = g.shape(like)
        axes = g.broadcast_gradient_args(g.shape(x), shape)[1]
        return g.reshape(g.sum(g.select(mask, grad, zeros), axes), shape)

    return inside, reduced(below, low), reduced(above, high)


# -- Matrix products --------------------------------------------------------------------------------------------------


@RegisterGradient("MatMul")
def _mat_mul(op: Any, grad: Any) -> Any:
    a, b = conj(op.inputs[0]), conj(op.inputs[1])
    ta, tb = op._raw_attr("transpose_a"), op._raw_attr("transpose_b")
    grad_a = grad_b = None
    if wants_gradient(op, 0):
        grad_a = g.mat_mul(b, grad, tb, True) if ta else g.mat_mul(grad, b, transpose_b=not tb)
    if wants_gradient(op, 1):
        grad_b = g.mat_mul(grad, a, True, ta) if tb else g.mat_mul(a, grad, transpose_a=not ta)
    return grad_a, grad_b


def _batch_products(op: Any, grad: Any, product: Any) -> tuple[Any, Any]:
    x, y = op.inputs
    ax, ay = op._raw_attr("adj_x"), op._raw_attr("adj_y")
    if not ax:
        if not ay:
            return product(grad, y, adj_x=False, adj_y=True), product(x, grad, adj_x=True, adj_y=False)
        return product(grad, y, adj_x=False, adj_y=False), product(grad, x, adj_x=True, adj_y=False)
    if not ay:
        return product(y, grad, adj_x=False, adj_y=True), product(x, grad, adj_x=False, adj_y=False)
    return product(y, grad, adj_x=True, adj_y=True), product(grad, x, adj_x=True, adj_y=True)


@RegisterGradient("BatchMatMul")
def _batch_mat_mul(op: Any, grad: Any) -> Any:
    return _batch_products(op, grad, g.batch_mat_mul)


@RegisterGradient("BatchMatMulV2")
def _batch_mat_mul_v2(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    grad_x, grad_y = _batch_products(op, grad, g.batch_mat_mul_v2)
    sx, sy = x._shape_tuple(), y._shape_tuple()
    if sx is not None and sy is not None and None not in sx[:-2] and sx[:-2] == sy[:-2]:
        return grad_x, grad_y
    shape_x, shape_y = g.shape(x), g.shape(y)
    start, end = constant([0]), constant([-2])
    ones = constant([1])
    batch = [g.strided_slice(s, start, end, ones) for s in (shape_x, shape_y)]
    axes = g.broadcast_gradient_args(batch[0], batch[1])
    return g.reshape(g.sum(grad_x, axes[0]), shape_x), g.reshape(g.sum(grad_y, axes[1]), shape_y)


@RegisterGradient("Cumsum")
def _cumsum(op: Any, grad: Any) -> Any:
    axis = op.inputs[1]
    exclusive, reverse = op._raw_attr("exclusive"), op._raw_attr("reverse")
    return g.cumsum(grad, axis, exclusive=exclusive, reverse=not reverse), None


@RegisterGradient("Cumprod")
def _cumprod(op: Any, grad: Any) -> Any:
    x, axis = op.inputs
    exclusive, reverse = op._raw_attr("exclusive"), op._raw_attr("reverse")
    # Not right for inputs with zeros, as in TensorFlow.
    product = g.cumprod(x, axis, exclusive=exclusive, reverse=reverse)
    total = g.cumsum(g.mul(product, grad), axis, exclusive=exclusive, reverse=not reverse)
    return g.real_div(total, x), None


# -- Piecewise constant ops: no gradient flows, but none is missing ---------------------------------------------------


def _nothing(op: Any, *_: Any) -> list[None]:
    return [None] * len(op.inputs)


for _name in ("ArgMax", "ArgMin", "Ceil", "Floor", "Rint", "Round"):
    RegisterGradient(_name)(_nothing)


# -- Special functions ------------------------------------------------------------------------------------------------


def _reciprocal_second(op: Any, grad: Any, first: Any) -> Any:
    y, dy = op.inputs
    with after(grad):
        cy, cg = conj(y), conj(grad)
        return g.mul(g.mul(g.mul(_const(-2.0, cg), cg), dy), cy), first(cy, grad)


@RegisterGradient("ReciprocalGrad")
def _reciprocal_grad(op: Any, grad: Any) -> Any:
    return _reciprocal_second(op, grad, g.reciprocal_grad)


@RegisterGradient("InvGrad")
def _inv_grad(op: Any, grad: Any) -> Any:
    return _reciprocal_second(op, grad, g.inv_grad)


@RegisterGradient("Digamma")
def _digamma(op: Any, grad: Any) -> Any:
    x = conj(op.inputs[0])
    with after(grad):
        return g.mul(grad, g.polygamma(_const(1, x), x))


@RegisterGradient("Polygamma")
def _polygamma(op: Any, grad: Any) -> Any:
    n, x = op.inputs
    with after(grad):
        return unbroadcast(n, x, grad, None, lambda: g.mul(grad, g.polygamma(g.add(n, _const(1, n)), x)))


@RegisterGradient("Zeta")
def _zeta(op: Any, grad: Any) -> Any:
    x, q = op.inputs
    with after(grad):
        return unbroadcast(x, q, grad, None, lambda: g.mul(grad, g.mul(g.neg(x), g.zeta(g.add(x, _const(1, x)), q))))


@RegisterGradient("Igamma")
def _igamma(op: Any, grad: Any) -> Any:
    a, x = op.inputs

    def grad_x() -> Any:
        log_density = g.sub(g.sub(g.xlogy(g.sub(a, _const(1, a)), x), x), g.lgamma(a))
        return g.mul(grad, g.exp(log_density))

    with after(grad):
        return unbroadcast(a, x, grad, lambda: g.mul(grad, g.igamma_grad_a(a, x)), grad_x)


@RegisterGradient("Igammac")
def _igammac(op: Any, grad: Any) -> Any:
    return [g.neg(part) for part in _igamma(op, grad)]


@RegisterGradient("BesselI0e")
def _bessel_i0e(op: Any, grad: Any) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    with after(grad):
        return g.mul(grad, g.sub(g.bessel_i1e(x), g.mul(g.sign(x), y)))


@RegisterGradient("BesselI1e")
def _bessel_i1e(op: Any, grad: Any) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    with after(grad):
        # I1(x) / x tends to a half.
        zeros = g.zeros_like(x)
        epsilon = _const(np.finfo(x.dtype.base_dtype.as_numpy_dtype).eps, x)
        usable = g.greater(g.abs(x), epsilon)
        safe = g.select(usable, x, g.add(epsilon, zeros))
        slope = g.sub(g.bessel_i0e(safe), g.mul(y, g.add(g.sign(safe), g.reciprocal(safe))))
        return g.mul(grad, g.select(usable, slope, g.add(_const(0.5, x), zeros)))


@RegisterGradient("Betainc")
def _betainc(op: Any, grad: Any) -> Any:
    a, b, x = op.inputs
    one = _const(1, x)

    def grad_x() -> Any:
        log_beta = g.sub(g.add(g.lgamma(a), g.lgamma(b)), g.lgamma(g.add(a, b)))
        powers = g.add(g.mul(g.sub(b, one), g.log1p(g.neg(x))), g.xlogy(g.sub(a, one), x))
        return g.mul(grad, g.exp(g.sub(powers, log_beta)))

    with after(grad):  # derivatives by a and b are not implemented, as in TensorFlow
        return [None, *unbroadcast(grad, x, grad, None, grad_x)]


@RegisterGradient("NextAfter")
def _nextafter(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return unbroadcast(x, y, grad, lambda: grad, lambda: g.zeros_like(grad))


@RegisterGradient("Angle")
def _angle(op: Any, grad: Any) -> Any:
    x = op.inputs[0]
    with after(grad):
        part = grad.dtype.base_dtype
        turned = g.reciprocal(_as_complex(g.imag(x, part), g.real(x, part)))
        return g.mul(g.neg(_as_complex(grad, g.zeros_like(grad))), turned)


@RegisterGradient("Cross")
def _cross(op: Any, grad: Any) -> Any:
    a, b = op.inputs
    return g.cross(b, grad), g.cross(grad, a)
