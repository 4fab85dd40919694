"""Gradients of ops on sparse tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf.framework import dtypes
from tinytf.framework.sparse_tensor import SparseTensor
from tinytf.gradients.registry import RegisterGradient
from tinytf.gradients.support import shape, size
from tinytf.ops import array_ops, math_ops
from tinytf.ops.sparse.sparse_parts import sparse_add


@RegisterGradient("SparseDenseCwiseAdd")
def _sparse_dense_cwise_add(op: Any, grad: Any) -> Any:
    raise NotImplementedError("Gradient for SparseDenseCwiseAdd is currently not implemented yet.")


def _operands(op: Any) -> tuple[Any, Any, Any]:
    """Where each sparse value meets the dense side [n, dense rank], what it meets there, and the dense shape."""
    indices, sparse_shape, dense = op.inputs[0], op.inputs[2], op.inputs[3]
    dense_shape = math_ops.cast(shape(dense), dtypes.int64)
    missing = array_ops.expand_dims(size(sparse_shape) - size(dense_shape), 0)
    scaling = sparse_shape // array_ops.concat([array_ops.ones(missing, dtypes.int64), dense_shape], 0)
    met = indices // scaling
    met = g.slice(met, array_ops.concat([[0], missing], 0), [-1, -1])
    return met, array_ops.gather_nd(dense, met), dense_shape


def _sum_where_met(op: Any, met: Any, values: Any, dense_shape: Any) -> Any:
    return sparse_add(array_ops.zeros_like(op.inputs[3]), SparseTensor(met, values, dense_shape))


@RegisterGradient("SparseDenseCwiseMul")
def _sparse_dense_cwise_mul(op: Any, grad: Any) -> Any:
    met, dense_values, dense_shape = _operands(op)
    grad_sparse = grad * dense_values
    return None, grad_sparse, None, _sum_where_met(op, met, grad * op.inputs[1], dense_shape)


@RegisterGradient("SparseDenseCwiseDiv")
def _sparse_dense_cwise_div(op: Any, grad: Any) -> Any:
    met, dense_values, dense_shape = _operands(op)
    grad_sparse = grad / dense_values
    by_dense = grad * (-op.inputs[1] / g.square(dense_values))
    return None, grad_sparse, None, _sum_where_met(op, met, by_dense, dense_shape)


@RegisterGradient("SparseReorder")
def _sparse_reorder(op: Any, unused_indices_grad: Any, values_grad: Any) -> Any:
    indices, sparse_shape = op.inputs[0], op.inputs[2]
    places = math_ops.range(shape(indices)[0])
    reordered = g.sparse_reorder(indices, places, sparse_shape)
    return None, array_ops.gather(values_grad, g.invert_permutation(reordered[1])), None


@RegisterGradient("SparseTensorDenseAdd")
def _sparse_tensor_dense_add(op: Any, grad: Any) -> Any:
    return None, array_ops.gather_nd(grad, op.inputs[0]), None, grad
