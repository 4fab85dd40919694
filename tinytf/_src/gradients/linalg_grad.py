"""Gradients of matrix factorizations, triangular solves and sparse matrix products."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_eager_tensor
from tinytf._src.gradients.registry import gradient_of


def _product(x: Any, y: Any, adjoint_x: bool = False, adjoint_y: bool = False) -> Any:
    return g.batch_mat_mul_v2(x, y, adj_x=adjoint_x, adj_y=adjoint_y)


def _adjoint(x: Any) -> Any:
    """The conjugate transposes of matrices; the rank of `x` must be known."""
    rank = x.shape.ndims
    return g.conjugate_transpose(x, constant([*range(rank - 2), rank - 1, rank - 2]))


def _lower(x: Any) -> Any:
    return g.matrix_band_part(x, constant(-1), constant(0))


def _upper(x: Any) -> Any:
    return g.matrix_band_part(x, constant(0), constant(-1))


@gradient_of("MatrixTriangularSolve")
def _matrix_triangular_solve(op: Any, grad: Any) -> Any:
    matrix, solution = op.inputs[0], op.outputs[0]
    adjoint, lower = op._raw_attr("adjoint"), op._raw_attr("lower")
    grad_rhs = g.matrix_triangular_solve(matrix, grad, lower=lower, adjoint=not adjoint)
    left, right = (solution, grad_rhs) if adjoint else (grad_rhs, solution)
    full = g.neg(_product(left, right, adjoint_y=True))
    return _lower(full) if lower else _upper(full), grad_rhs


@gradient_of("Qr")
def _qr(op: Any, grad_q: Any, grad_r: Any) -> Any:
    q, r = op.outputs
    if q.dtype.is_complex:
        raise NotImplementedError(f"QrGrad not implemented for dtype: {q.dtype}")
    shape = r._shape_tuple()
    if shape is None or None in shape[-2:]:
        raise NotImplementedError("QrGrad not implemented with dynamic shapes.")
    if shape[-2] != shape[-1]:
        raise NotImplementedError(
            "QrGrad not implemented when ncols > nrows or full_matrices is true and ncols != nrows."
        )
    q_part = _product(q, grad_q, adjoint_x=True)
    r_part = _product(r, grad_r, adjoint_y=True)
    skew = g.add(g.sub(q_part, _adjoint(q_part)), g.sub(r_part, _adjoint(r_part)))

    def over_r(x: Any) -> Any:
        """x times the inverse of the adjoint of r."""
        return _adjoint(g.matrix_triangular_solve(r, _adjoint(x), lower=False))

    return g.add(
        _product(q, g.add(grad_r, over_r(_lower(skew)))),
        over_r(g.sub(grad_q, _product(q, q_part))),
    )


@gradient_of("Svd")
def _svd(op: Any, grad_s: Any, grad_u: Any, grad_v: Any) -> Any:
    a = op.inputs[0]
    if not op._raw_attr("compute_uv"):
        _, u, v = g.svd(a, compute_uv=True)
        return _product(u, _product(g.matrix_diag(grad_s), v, adjoint_y=True))
    full = op._raw_attr("full_matrices")
    shape = a._shape_tuple()
    if shape is None or None in shape[-2:]:
        raise NotImplementedError("SVD gradient has not been implemented for input with unknown inner matrix shape.")
    m, n = shape[-2:]
    if full and abs(m - n) > 1:
        raise NotImplementedError("svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True")
    s, u, v = op.outputs
    if m > n:  # the gradient of the adjoint matrix, which swaps u and v
        return _adjoint(_svd_of_wide(s, v, u, grad_s, grad_v, grad_u, n, m, full))
    return _svd_of_wide(s, u, v, grad_s, grad_u, grad_v, m, n, full)


def _svd_of_wide(s: Any, u: Any, v: Any, grad_s: Any, grad_u: Any, grad_v: Any, m: int, n: int, full: bool) -> Any:
    """The gradient for matrices of shape [..., m, n] with m <= n. It is infinite for equal singular values."""
    v1, grad_v1 = (v[..., :m], grad_v[..., :m]) if full else (v, grad_v)
    squares = g.square(s)
    differences = g.sub(g.expand_dims(squares, constant(-2)), g.expand_dims(squares, constant(-1)))
    # Keeps infinities out of second-order gradients.
    one_on_diagonal = g.add(differences, g.matrix_diag(g.ones_like(s)))
    f = g.matrix_set_diag(g.reciprocal(one_on_diagonal), g.zeros_like(s))
    s_matrix = g.matrix_diag(s)
    f_u = g.mul(f, _product(u, grad_u, adjoint_x=True))
    f_v = g.mul(f, _product(v1, grad_v1, adjoint_x=True))
    middle = g.add(
        g.add(g.matrix_diag(grad_s), _product(g.add(f_u, _adjoint(f_u)), s_matrix)),
        _product(s_matrix, g.add(f_v, _adjoint(f_v))),
    )
    within = _product(u, _product(middle, v1, adjoint_y=True))
    if m == n:
        return within
    rows = _adjoint(grad_v1)
    outside = g.sub(rows, _product(_product(rows, v1), v1, adjoint_y=True))
    if full:
        v2, grad_v2 = v[..., m:], grad_v[..., m:]
        outside = g.sub(outside, _product(_product(v1, grad_v2, adjoint_x=True), v2, adjoint_y=True))
    return g.add(within, _product(_product(u, g.matrix_diag(g.reciprocal(s))), outside))


@gradient_of("SparseMatMul")
def _sparse_mat_mul(op: Any, grad: Any) -> Any:
    a, b = op.inputs
    ta, tb = op._raw_attr("transpose_a"), op._raw_attr("transpose_b")
    a = (a, op._raw_attr("a_is_sparse"))
    b = (b, op._raw_attr("b_is_sparse"))
    dy = (grad, not is_eager_tensor(grad) and grad.op.type == "ReluGrad")  # most likely to contain zeros

    def product(x: Any, y: Any, like: Any, transpose_x: bool, transpose_y: bool) -> Any:
        (x, x_sparse), (y, y_sparse) = x, y
        if x_sparse or y_sparse or dtypes.bfloat16 in (x.dtype.base_dtype, y.dtype.base_dtype):
            result = g.sparse_mat_mul(x, y, transpose_x, transpose_y, x_sparse, y_sparse)
        else:
            result = g.mat_mul(x, y, transpose_x, transpose_y)
        return result if like.dtype.base_dtype is dtypes.float32 else g.cast(result, like.dtype.base_dtype)

    grad_a = product(b, dy, op.inputs[0], tb, True) if ta else product(dy, b, op.inputs[0], False, not tb)
    grad_b = product(dy, a, op.inputs[1], True, ta) if tb else product(a, dy, op.inputs[1], not ta, False)
    return grad_a, grad_b
