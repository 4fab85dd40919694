"""Rows of factorizations, triangular systems and products with sparse arguments, checked with NumPy."""

import numpy as np
from op_table import FLOATS, INTS, SMALL_INTS, Row

INDICES = np.array([[0, 0, 1], [0, 2, 3], [1, 1, 0], [1, 2, 2]])
SIZES = np.array([2, 3, 4])


def _regular(rng, shape, _):
    """Well-conditioned matrices with values in both triangles."""
    return rng.uniform(-1, 1, shape) + 3 * np.eye(shape[-1])


def _solve(a, b, lower=True, adjoint=False):
    a = np.tril(a) if lower else np.triu(a)
    return np.linalg.solve(np.conj(np.swapaxes(a, -1, -2)) if adjoint else a, b)


def _met(op):
    def of(indices, values, shape, dense):
        met = np.broadcast_to(dense, tuple(shape))[tuple(indices.T)]
        return op(values, met)

    return of


def _divide(a, b):
    return a // b if a.dtype.kind in "iu" else a / b


ROWS = [
    *(
        Row(
            "MatrixTriangularSolve",
            _solve,
            (((3, 3), (3, 2)), ((1, 1), (1, 1)), ((2, 4, 4), (2, 4, 1)), ((2, 2), (2, 0))),
            fixed={0: _regular},
            attrs={"lower": lower, "adjoint": adjoint},
            tol=20,
        )
        for lower in (True, False)
        for adjoint in (True, False)
    ),
    *(
        Row(
            "Qr",
            lambda a, full_matrices: tuple(np.linalg.qr(a, "complete" if full_matrices else "reduced")),
            (((4, 4),), ((5, 3),), ((2, 3, 3),), ((1, 1),)),
            attrs={"full_matrices": full},
            grad=not full,  # TensorFlow supports only square or thin factors
            complex_grad=False,  # TensorFlow's gradient is for real matrices
            tol=60,
        )
        for full in (False, True)
    ),
    Row(
        "Svd",
        lambda a, compute_uv: (np.linalg.svd(a, compute_uv=False), np.zeros(0), np.zeros(0)),
        (((4, 4),), ((5, 3),), ((2, 3, 4),), ((1, 1),), ((0, 3),)),
        attrs={"compute_uv": False},
        complex_grad=False,  # the singular values are real
        tol=60,
    ),
    Row(
        "SparseMatMul",
        lambda a, b, transpose_b=False: a @ (b.T if transpose_b else b),
        (((3, 4), (4, 5)), ((1, 2), (2, 1))),
        tol=20,
    ),
    Row(
        "SparseMatMul",
        lambda a, b, transpose_b: a @ b.T,
        (((3, 4), (5, 4)),),
        attrs={"transpose_b": True},
        tol=20,
    ),
    *(
        Row(
            "SparseDenseCwise" + op,
            _met(reference),
            tuple(((4, 3), (4,), (3,), dense) for dense in shapes),
            (*FLOATS, "bfloat16", *INTS, *SMALL_INTS),
            fixed={0: INDICES, 2: SIZES},
            domain=(1, 9),
            tol=2,
            grad=op != "Add" and () not in shapes,  # TensorFlow has no gradient for the sum or for a dense scalar
        )
        for op, reference in (("Add", np.add), ("Mul", np.multiply), ("Div", _divide))
        for shapes in (((2, 3, 4), (3, 4), (2, 1, 1)), ((),))
    ),
]
