"""Gradients of element-wise ops and casts."""

from __future__ import annotations

import math
from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import (
    after,
    broadcast_axes,
    conj,
    equal_shapes,
    reduced,
    reduced_by,
    reduced_if_needed,
    shape,
)
from tinytf._src.ops import array_ops, math_ops


def _const(value: float, like: Any) -> Any:
    return constant(value, dtype=like.dtype.base_dtype)


# -- One input --------------------------------------------------------------------------------------------------------


@gradient_of("Abs")
def _abs(op: Any, grad: Any) -> Any:
    return grad * g.sign(op.inputs[0])


@gradient_of("Neg")
def _neg(_: Any, grad: Any) -> Any:
    return g.neg(grad)


@gradient_of("Square")
def _square(op: Any, grad: Any) -> Any:
    with after(grad):
        x = conj(op.inputs[0])
        return g.mul(grad, g.mul(x, _const(2.0, x)))


@gradient_of("Sqrt")
def _sqrt(op: Any, grad: Any) -> Any:
    return g.sqrt_grad(op.outputs[0], grad)


@gradient_of("SqrtGrad")
def _sqrt_grad(op: Any, grad: Any) -> Any:
    y = op.outputs[0]
    with after(grad):
        ga = grad / op.inputs[0]
        return -conj(ga) * y, 0.5 * ga


@gradient_of("Rsqrt")
def _rsqrt(op: Any, grad: Any) -> Any:
    return g.rsqrt_grad(op.outputs[0], grad)


@gradient_of("RsqrtGrad")
def _rsqrt_grad(op: Any, grad: Any) -> Any:
    a, b = op.inputs
    with after(grad):
        ca = conj(a)
        cg = conj(grad)
        return -1.5 * cg * b * g.square(ca), g.rsqrt_grad(ca, grad)


@gradient_of("Reciprocal")
def _reciprocal(op: Any, grad: Any) -> Any:
    return g.reciprocal_grad(op.outputs[0], grad)


gradient_of("Inv")(_reciprocal)


@gradient_of("Exp")
def _exp(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad * conj(op.outputs[0])


@gradient_of("Expm1")
def _expm1(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad * g.exp(conj(op.inputs[0]))


@gradient_of("Log")
def _log(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad * g.reciprocal(conj(op.inputs[0]))


@gradient_of("Log1p")
def _log1p(op: Any, grad: Any) -> Any:
    with after(grad):
        x = conj(op.inputs[0])
        return grad * g.reciprocal(1 + x)


@gradient_of("Tanh")
def _tanh(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.tanh_grad(conj(op.outputs[0]), grad)


@gradient_of("TanhGrad")
def _tanh_grad(op: Any, grad: Any) -> Any:
    with after(grad):
        a, b = conj(op.inputs[0]), conj(op.inputs[1])
        return grad * -2.0 * b * a, g.tanh_grad(a, grad)


@gradient_of("Sigmoid")
def _sigmoid(op: Any, grad: Any) -> Any:
    with after(grad):
        return g.sigmoid_grad(conj(op.outputs[0]), grad)


@gradient_of("SigmoidGrad")
def _sigmoid_grad(op: Any, grad: Any) -> Any:
    with after(grad):
        a, b = conj(op.inputs[0]), conj(op.inputs[1])
        gb = grad * b
        return gb - 2.0 * gb * a, g.sigmoid_grad(a, grad)


@gradient_of("Sign")
def _sign(op: Any, _: Any) -> Any:
    x = op.inputs[0]
    return array_ops.zeros(shape(x), dtype=x.dtype)


@gradient_of("Sin")
def _sin(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad * g.cos(conj(op.inputs[0]))


@gradient_of("Cos")
def _cos(op: Any, grad: Any) -> Any:
    with after(grad):
        return -grad * g.sin(conj(op.inputs[0]))


@gradient_of("Tan")
def _tan(op: Any, grad: Any) -> Any:
    with after(grad):
        secant = g.reciprocal(g.cos(conj(op.inputs[0])))
        return g.square(secant) * grad


def _slope_of_asin(op: Any, grad: Any) -> Any:
    squared = g.square(conj(op.inputs[0]))
    return g.reciprocal(g.sqrt(g.sub(_const(1, grad), squared)))


@gradient_of("Asin")
def _asin(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad * _slope_of_asin(op, grad)


@gradient_of("Acos")
def _acos(op: Any, grad: Any) -> Any:
    with after(grad):
        slope = _slope_of_asin(op, grad)
        return -grad * slope


@gradient_of("Atan")
def _atan(op: Any, grad: Any) -> Any:
    with after(grad):
        squared = g.square(conj(op.inputs[0]))
        return grad * g.reciprocal(g.add(_const(1, grad), squared))


@gradient_of("Sinh")
def _sinh(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad * g.cosh(conj(op.inputs[0]))


@gradient_of("Cosh")
def _cosh(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad * g.sinh(conj(op.inputs[0]))


@gradient_of("Asinh")
def _asinh(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad / g.cosh(conj(op.outputs[0]))


@gradient_of("Acosh")
def _acosh(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad / g.sinh(conj(op.outputs[0]))


@gradient_of("Atanh")
def _atanh(op: Any, grad: Any) -> Any:
    with after(grad):
        squared = g.square(conj(op.inputs[0]))
        return grad * g.reciprocal(g.sub(_const(1, grad), squared))


@gradient_of("Erf")
def _erf(op: Any, grad: Any) -> Any:
    factor = _const(2 / math.sqrt(math.pi), grad)
    with after(grad):
        x = conj(op.inputs[0])
        return grad * factor * g.exp(-g.square(x))


@gradient_of("Erfc")
def _erfc(op: Any, grad: Any) -> Any:
    factor = _const(-2 / math.sqrt(math.pi), grad)
    with after(grad):
        x = conj(op.inputs[0])
        return grad * factor * g.exp(-g.square(x))


@gradient_of("Lgamma")
def _lgamma(op: Any, grad: Any) -> Any:
    with after(grad):
        return grad * g.digamma(conj(op.inputs[0]))


@gradient_of("Real")
def _real(_: Any, grad: Any) -> Any:
    return math_ops.complex(grad, _const(0, grad))


@gradient_of("Imag")
def _imag(_: Any, grad: Any) -> Any:
    zero = _const(0, grad)
    # Conjugate convention: d(imag)/dz is -i.
    return math_ops.complex(zero, grad)


@gradient_of("Complex")
def _complex(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return reduced(x, y, grad, lambda: math_ops.real(grad), lambda: math_ops.imag(grad))


@gradient_of("Conj")
def _conj(_: Any, grad: Any) -> Any:
    return g.conj(grad)


@gradient_of("ComplexAbs")
def _complex_abs(op: Any, grad: Any) -> Any:
    y = op.outputs[0]
    return math_ops.div_no_nan(
        math_ops.complex(grad, array_ops.zeros_like(grad)) * op.inputs[0],
        math_ops.complex(y, array_ops.zeros_like(y)),
    )


@gradient_of("Cast")
def _cast(op: Any, grad: Any) -> Any:
    floats = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.complex64, dtypes.complex128)
    source, result = op.inputs[0].dtype.base_dtype, grad.dtype.base_dtype
    return math_ops.cast(grad, source) if source in floats and result in floats else None


# -- Two inputs with broadcasting -------------------------------------------------------------------------------------


@gradient_of("Add")
def _add(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    if equal_shapes(x, y, grad):
        return grad, grad
    return reduced_if_needed(x, y, grad, lambda: grad, lambda: grad)


gradient_of("AddV2")(_add)


@gradient_of("Sub")
def _sub(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    if equal_shapes(x, y, grad):
        return grad, -grad
    return reduced_if_needed(x, y, grad, lambda: grad, lambda: -grad)


@gradient_of("Mul")
def _mul(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    if equal_shapes(x, y, grad) and grad.dtype in (dtypes.int32, dtypes.float32):
        return g.mul(grad, y), g.mul(grad, x)
    if x.dtype.is_complex and not executing_eagerly():
        return _mul_of_complex(x, y, grad)
    return reduced_if_needed(x, y, grad, lambda: g.mul(grad, conj(y)), lambda: g.mul(conj(x), grad))


def _mul_of_complex(x: Any, y: Any, grad: Any) -> Any:
    """Creates both conjugates before the products, but after the axes of the sums, as in TensorFlow."""
    conjugates: list[Any] = []

    def conjugate(index: int) -> Any:
        if not conjugates:
            conjugates.extend((conj(x), conj(y)))
        return conjugates[index]

    return reduced_if_needed(x, y, grad, lambda: g.mul(grad, conjugate(1)), lambda: g.mul(conjugate(0), grad))


def _quotient(op: Any, grad: Any, divide: Any) -> Any:
    x, y = op.inputs

    def through_divisor() -> Any:
        return grad * divide(divide(-cx, cy), cy)

    if executing_eagerly():
        cx, cy = conj(x), conj(y)
        return reduced(x, y, grad, lambda: divide(grad, cy), through_divisor)
    axes = broadcast_axes(x, y)
    cx, cy = conj(x), conj(y)
    return reduced_by(axes, lambda: divide(grad, cy), through_divisor)


@gradient_of("RealDiv")
def _real_div(op: Any, grad: Any) -> Any:
    return _quotient(op, grad, g.real_div)


@gradient_of("Div")
def _div(op: Any, grad: Any) -> Any:
    return _quotient(op, grad, math_ops.divide)


@gradient_of("DivNoNan")
def _div_no_nan(op: Any, grad: Any) -> Any:
    return _quotient(op, grad, math_ops.div_no_nan)


@gradient_of("MulNoNan")
def _mul_no_nan(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    if equal_shapes(x, y, grad):
        return g.mul_no_nan(grad, y), g.mul_no_nan(x, grad)
    return reduced(x, y, grad, lambda: g.mul_no_nan(grad, y), lambda: g.mul_no_nan(x, grad))


@gradient_of("FloorDiv")
def _floor_div(_: Any, unused_grad: Any) -> Any:
    return None, None


@gradient_of("TruncateDiv")
def _truncate_div(_: Any, unused_grad: Any) -> Any:
    return None, None


@gradient_of("FloorMod")
def _floor_mod(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    if executing_eagerly():
        return reduced(x, y, grad, lambda: grad, lambda: grad * -g.floor_div(x, y))
    axes = broadcast_axes(x, y)
    quotient = g.floor_div(x, y)
    return reduced_by(axes, lambda: grad, lambda: grad * g.neg(quotient))


@gradient_of("SquaredDifference")
def _squared_difference(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    with after(grad):
        x_grad = math_ops.scalar_mul(2.0, grad) * (x - y)
    if equal_shapes(x, y, grad):
        return x_grad, -x_grad
    return reduced_if_needed(x, y, grad, lambda: x_grad, lambda: x_grad, negate_y=True)


@gradient_of("Pow")
def _pow(op: Any, grad: Any) -> Any:
    x, y = op.inputs

    def grad_x() -> Any:
        return grad * conj(y) * g.pow(conj(x), conj(y) - 1)

    def grad_y() -> Any:
        # Uses log(x) only where it is real; elsewhere the derivative is defined as 0.
        cx, z = conj(x), conj(op.outputs[0])
        usable = g.not_equal(cx, 0) if x.dtype.is_complex else cx > 0
        safe = g.select(usable, cx, array_ops.ones_like(cx))
        log = g.select(usable, g.log(safe), array_ops.zeros_like(cx))
        return grad * z * log

    return reduced_if_needed(x, y, grad, grad_x, grad_y)


def _extreme(op: Any, grad: Any, choose: Any) -> Any:
    x, y = op.inputs
    if executing_eagerly():
        mask, zeros = choose(x, y), g.zeros_like(grad)
        return reduced(x, y, grad, lambda: g.select(mask, grad, zeros), lambda: g.select(mask, zeros, grad))
    shape_x, shape_y = shape(x), shape(y)
    zeros = array_ops.zeros(shape(grad), grad.dtype)
    mask = choose(x, y)
    axes = zip((shape_x, shape_y), g.broadcast_gradient_args(shape_x, shape_y), strict=True)
    return reduced_by(list(axes), lambda: g.select(mask, grad, zeros), lambda: g.select(mask, zeros, grad))


@gradient_of("Maximum")
def _maximum(op: Any, grad: Any) -> Any:
    return _extreme(op, grad, g.greater_equal)


@gradient_of("Minimum")
def _minimum(op: Any, grad: Any) -> Any:
    return _extreme(op, grad, g.less_equal)


@gradient_of("Atan2")
def _atan2(op: Any, grad: Any) -> Any:
    y, x = op.inputs
    with after(grad):
        scaled = grad / (g.square(x) + g.square(y))
        if equal_shapes(x, y, grad):
            return x * scaled, -y * scaled
        return reduced(y, x, grad, lambda: x * scaled, lambda: -y * scaled)


def _with_nonzero(op: Any, grad: Any, over_x: Any, over_y: Any) -> Any:
    """Gradients of ops that are 0 where x is 0: `over_x` gets x != 0 as a number, `over_y` gets nothing; both results
    are multiplied by `grad`."""
    x, y = op.inputs
    axes = None if executing_eagerly() else broadcast_axes(x, y)
    with after(grad):
        partial_x = over_x(math_ops.cast(g.not_equal(x, math_ops.cast(0.0, x.dtype)), x.dtype))
        partial_y = over_y()
        if axes is None:
            return reduced(x, y, grad, lambda: partial_x * grad, lambda: partial_y * grad)
        return reduced_by(axes, lambda: partial_x * grad, lambda: partial_y * grad)


@gradient_of("Xdivy")
def _xdivy(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return _with_nonzero(op, grad, lambda nonzero: g.xdivy(nonzero, y), lambda: g.xdivy(g.neg(x), y**2))


@gradient_of("Xlogy")
def _xlogy(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    return _with_nonzero(op, grad, lambda nonzero: g.xlogy(nonzero, y), lambda: g.xdivy(x, y))


# -- Selection and sums -----------------------------------------------------------------------------------------------


@gradient_of("Select")
def _select(op: Any, grad: Any) -> Any:
    condition, x = op.inputs[0], op.inputs[1]
    zeros = array_ops.zeros_like(x)
    return None, g.select(condition, grad, zeros), g.select(condition, zeros, grad)


@gradient_of("SelectV2")
def _select_v2(op: Any, grad: Any) -> Any:
    condition, x, y = op.inputs
    zeros = array_ops.zeros([], dtype=grad.dtype.base_dtype)

    def reduced_to(gradient: Any, own: Any, full: Any) -> Any:
        axes = g.broadcast_gradient_args(own, full)[0]
        return g.reshape(g.sum(gradient, axes, keep_dims=True), own)

    grad_x = g.select_v2(condition, grad, zeros)
    shape_x, full = shape(x), shape(op.outputs[0])
    grad_x = reduced_to(grad_x, shape_x, full)
    grad_y = g.select_v2(condition, zeros, grad)
    return None, grad_x, reduced_to(grad_y, shape(y), full)


@gradient_of("AddN")
def _add_n(op: Any, grad: Any) -> Any:
    return [grad] * len(op.inputs)


@gradient_of("AccumulateNV2")
def _accumulate_n(op: Any, grad: Any) -> Any:
    return [grad] * len(op.inputs)


@gradient_of("ClipByValue", free=True)
def _clip_by_value(op: Any, grad: Any) -> Any:
    x, low, high = op.inputs
    shape_x, shape_low, shape_high = shape(x), shape(low), shape(high)
    zeros = array_ops.zeros(shape(grad), grad.dtype)
    below, above = g.less(x, low), g.greater(x, high)
    _, axes_low = g.broadcast_gradient_args(shape_x, shape_low)
    _, axes_high = g.broadcast_gradient_args(shape_x, shape_high)
    inside = g.select(g.logical_or(below, above), zeros, grad)
    grads_low, grads_high = g.select(below, grad, zeros), g.select(above, grad, zeros)
    return (
        inside,
        g.reshape(g.sum(grads_low, axes_low), shape_low),
        g.reshape(g.sum(grads_high, axes_high), shape_high),
    )


# -- Piecewise constant ops: gradients are None, but not undefined ----------------------------------------------------


def _nothing(op: Any, *_: Any) -> list[None]:
    return [None] * len(op.inputs)


for _name in ("ArgMax", "ArgMin", "Ceil", "Floor", "Rint", "Round"):
    gradient_of(_name)(_nothing)
