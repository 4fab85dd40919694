"""Gradients of matrix products and cumulative sums and products."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import conj, known_shape, shape, wants_gradient
from tinytf._src.ops.linalg.products import matmul


@gradient_of("MatMul")
def _mat_mul(op: Any, grad: Any) -> Any:
    a, b = conj(op.inputs[0]), conj(op.inputs[1])
    ta, tb = op._raw_attr("transpose_a"), op._raw_attr("transpose_b")
    grad_a = grad_b = None
    if wants_gradient(op, 0):
        grad_a = g.mat_mul(b, grad, tb, True) if ta else g.mat_mul(grad, b, transpose_b=not tb)
    if wants_gradient(op, 1):
        grad_b = g.mat_mul(grad, a, True, ta) if tb else g.mat_mul(a, grad, transpose_a=not ta)
    return grad_a, grad_b


def _batch_products(op: Any, grad: Any) -> tuple[Any, Any]:
    def product(a: Any, b: Any, adj_x: bool, adj_y: bool) -> Any:
        return matmul(a, b, adjoint_a=adj_x, adjoint_b=adj_y)

    x, y = op.inputs
    ax, ay = op._raw_attr("adj_x"), op._raw_attr("adj_y")
    if not ax:
        if not ay:
            return product(grad, y, adj_x=False, adj_y=True), product(x, grad, adj_x=True, adj_y=False)
        return product(grad, y, adj_x=False, adj_y=False), product(grad, x, adj_x=True, adj_y=False)
    if not ay:
        return product(y, grad, adj_x=False, adj_y=True), product(x, grad, adj_x=False, adj_y=False)
    return product(y, grad, adj_x=True, adj_y=True), product(grad, x, adj_x=True, adj_y=True)


@gradient_of("BatchMatMul")
def _batch_mat_mul(op: Any, grad: Any) -> Any:
    return _batch_products(op, grad)


@gradient_of("BatchMatMulV2")
def _batch_mat_mul_v2(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    grad_x, grad_y = _batch_products(op, grad)
    known_x, known_y = known_shape(x), known_shape(y)
    if known_x is not None and known_y is not None and _summed_as_one(known_x, known_y):
        return grad_x, grad_y
    shape_x, shape_y = shape(x), shape(y)
    axes_x, axes_y = g.broadcast_gradient_args(shape_x[:-2], shape_y[:-2])
    return g.reshape(g.sum(grad_x, axes_x), shape_x), g.reshape(g.sum(grad_y, axes_y), shape_y)


def _summed_as_one(x: Any, y: Any) -> bool:
    """Whether no sum over broadcast dimensions is needed. In graph mode only if the whole shapes are equal, so that the
    graph equals TensorFlow's."""
    return x[:-2] == y[:-2] if executing_eagerly() else x == y


@gradient_of("Cumsum")
def _cumsum(op: Any, grad: Any) -> Any:
    axis = op.inputs[1]
    exclusive, reverse = op._raw_attr("exclusive"), op._raw_attr("reverse")
    return g.cumsum(grad, axis, exclusive=exclusive, reverse=not reverse), None


@gradient_of("Cumprod")
def _cumprod(op: Any, grad: Any) -> Any:
    x, axis = op.inputs
    exclusive, reverse = op._raw_attr("exclusive"), op._raw_attr("reverse")
    # Incorrect for inputs with zeros, as in TensorFlow.
    product = g.cumprod(x, axis, exclusive=exclusive, reverse=reverse)
    total = g.cumsum(product * grad, axis, exclusive=exclusive, reverse=not reverse)
    return total / x, None
