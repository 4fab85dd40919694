"""Gradients of ops on sparse tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import shape, size
from tinytf._src.ops import array_ops, math_ops
from tinytf._src.ops.sparse.sparse_parts import sparse_add


@gradient_of("SparseDenseCwiseAdd")
def _sparse_dense_cwise_add(op: Any, grad: Any) -> Any:
    raise NotImplementedError("Gradient for SparseDenseCwiseAdd is currently not implemented yet.")


def _operands(op: Any) -> tuple[Any, Any, Any]:
    """For each sparse value, the index of its dense operand [n, dense rank] and that operand's value; and the dense
    shape."""
    indices, sparse_shape, dense = op.inputs[0], op.inputs[2], op.inputs[3]
    dense_shape = math_ops.cast(shape(dense), dtypes.int64)
    missing = array_ops.expand_dims(size(sparse_shape) - size(dense_shape), 0)
    scaling = sparse_shape // array_ops.concat([array_ops.ones(missing, dtypes.int64), dense_shape], 0)
    met = indices // scaling
    met = g.slice(met, array_ops.concat([[0], missing], 0), [-1, -1])
    return met, array_ops.gather_nd(dense, met), dense_shape


def _sum_where_met(op: Any, met: Any, values: Any, dense_shape: Any) -> Any:
    return sparse_add(array_ops.zeros_like(op.inputs[3]), SparseTensor(met, values, dense_shape))


@gradient_of("SparseDenseCwiseMul")
def _sparse_dense_cwise_mul(op: Any, grad: Any) -> Any:
    met, dense_values, dense_shape = _operands(op)
    grad_sparse = grad * dense_values
    return None, grad_sparse, None, _sum_where_met(op, met, grad * op.inputs[1], dense_shape)


@gradient_of("SparseDenseCwiseDiv")
def _sparse_dense_cwise_div(op: Any, grad: Any) -> Any:
    met, dense_values, dense_shape = _operands(op)
    grad_sparse = grad / dense_values
    by_dense = grad * (-op.inputs[1] / g.square(dense_values))
    return None, grad_sparse, None, _sum_where_met(op, met, by_dense, dense_shape)


@gradient_of("SparseToDense")
def _sparse_to_dense(op: Any, grad: Any) -> Any:
    indices, sizes, values, _ = op.inputs
    # TensorFlow has no gradient for other indices, nor for a single value at all of them.
    is_matrix = indices.shape.ndims in (None, 2)
    by_values = array_ops.gather_nd(grad, indices if is_matrix else array_ops.reshape(indices, [-1, 1]))
    in_all = math_ops.reduce_sum(grad)
    in_values = math_ops.reduce_sum(by_values)
    by_default = in_all - in_values
    if values.shape.ndims == 0:
        by_values = in_values
    return array_ops.zeros_like(indices), array_ops.zeros_like(sizes), by_values, by_default


@gradient_of("SparseTensorDenseMatMul")
def _sparse_tensor_dense_mat_mul(op: Any, grad: Any) -> Any:
    indices, values, sizes, b = op.inputs
    turned, b_turned = op.get_attr("adjoint_a"), op.get_attr("adjoint_b")
    by_b = g.sparse_tensor_dense_mat_mul(indices, values, sizes, grad, adjoint_a=not turned)
    if b_turned:
        by_b = array_ops.transpose(by_b)
    rows, columns = indices[:, 0], indices[:, 1]
    from_grad = array_ops.gather(grad, columns if turned else rows)
    from_b = array_ops.gather(array_ops.transpose(b) if b_turned else b, rows if turned else columns)
    return None, math_ops.reduce_sum(from_grad * from_b, axis=1), None, by_b


@gradient_of("SparseReorder")
def _sparse_reorder(op: Any, unused_indices_grad: Any, values_grad: Any) -> Any:
    indices, sparse_shape = op.inputs[0], op.inputs[2]
    places = math_ops.range(shape(indices)[0])
    reordered = g.sparse_reorder(indices, places, sparse_shape)
    return None, array_ops.gather(values_grad, g.invert_permutation(reordered[1])), None


@gradient_of("SparseAdd")
def _sparse_add(op: Any, unused_indices_grad: Any, values_grad: Any, unused_shape_grad: Any) -> Any:
    a_grad, b_grad = g.sparse_add_grad(values_grad, op.inputs[0], op.inputs[3], op.outputs[0])
    a_grad.set_shape(op.inputs[1].get_shape())
    b_grad.set_shape(op.inputs[4].get_shape())
    return None, a_grad, None, None, b_grad, None, None


@gradient_of("SparseTensorDenseAdd")
def _sparse_tensor_dense_add(op: Any, grad: Any) -> Any:
    return None, array_ops.gather_nd(grad, op.inputs[0]), None, grad
