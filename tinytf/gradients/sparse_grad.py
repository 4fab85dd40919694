"""Gradients of ops on sparse tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.gradients.registry import RegisterGradient


@RegisterGradient("SparseDenseCwiseAdd")
def _sparse_dense_cwise_add(op: Any, grad: Any) -> Any:
    raise NotImplementedError("Gradient for SparseDenseCwiseAdd is currently not implemented yet.")


def _operands(op: Any) -> tuple[Any, Any, Any]:
    """Where each sparse value meets the dense side [n, dense rank], what it meets there, and the dense shape."""
    indices, sparse_shape, dense = op.inputs[0], op.inputs[2], op.inputs[3]
    dense_shape = g.shape(dense, out_type=dtypes.int64)
    missing = g.expand_dims(g.sub(g.size(sparse_shape), g.size(dense_shape)), constant(0))
    ones = g.fill(missing, constant(1, dtype=dtypes.int64))
    scaling = g.floor_div(sparse_shape, g.concat_v2([ones, dense_shape], constant(0)))
    begin = g.concat_v2([constant([0]), missing], constant(0))
    met = g.slice(g.floor_div(indices, scaling), begin, constant([-1, -1]))
    return met, g.gather_nd(dense, met), dense_shape


@RegisterGradient("SparseDenseCwiseMul")
def _sparse_dense_cwise_mul(op: Any, grad: Any) -> Any:
    met, dense_values, dense_shape = _operands(op)
    grad_dense = g.scatter_nd(met, g.mul(grad, op.inputs[1]), dense_shape)
    return None, g.mul(grad, dense_values), None, grad_dense


@RegisterGradient("SparseDenseCwiseDiv")
def _sparse_dense_cwise_div(op: Any, grad: Any) -> Any:
    met, dense_values, dense_shape = _operands(op)
    by_dense = g.neg(g.real_div(op.inputs[1], g.square(dense_values)))
    grad_dense = g.scatter_nd(met, g.mul(grad, by_dense), dense_shape)
    return None, g.real_div(grad, dense_values), None, grad_dense
