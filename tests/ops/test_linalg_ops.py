"""Factorizations and triangular systems satisfy their defining equations, checked with NumPy."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import gen_ops
from tinytf._src.testing import compute_gradient

FLOATS = [np.float32, np.float64]
TYPES = [*FLOATS, np.complex64, np.complex128]
SHAPES = [(1, 1), (5, 3), (3, 5), (4, 4), (2, 3, 6, 4), (0, 3), (3, 0), (0, 2, 2)]


def _random(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.issubdtype(dtype, np.complexfloating) else x).astype(dtype)


def _tolerance(dtype):
    return 2e-5 if np.finfo(dtype).bits == 32 else 1e-12


def _adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def _run(*fetches):
    with tf.Session() as session:
        return session.run(list(fetches))


def _check_gradient(x, value, y, tolerance=1e-7):
    with tf.Session():
        exact, numeric = compute_gradient(x, value.shape, y, y.shape.as_list(), x_init_value=value, delta=1e-5)
    np.testing.assert_allclose(exact, numeric, atol=tolerance)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_qr(shape, full, dtype):
    a = _random(shape, dtype)
    outputs = gen_ops.qr(tf.constant(a), full_matrices=full)
    q, r = _run(*outputs)
    assert [tuple(x.shape.as_list()) for x in outputs] == [q.shape, r.shape]
    assert q.dtype == r.dtype == dtype
    inner = shape[-2] if full else min(shape[-2:])
    assert q.shape == (*shape[:-1], inner) and r.shape == (*shape[:-2], inner, shape[-1])
    tol = _tolerance(dtype)
    np.testing.assert_allclose(q @ r, a, atol=tol)
    np.testing.assert_allclose(_adjoint(q) @ q, np.broadcast_to(np.eye(inner), (*shape[:-2], inner, inner)), atol=tol)
    np.testing.assert_array_equal(r, np.triu(r))
    if len(shape) == 2 and 0 not in shape:  # the signs equal LAPACK's
        np.testing.assert_allclose(r, np.linalg.qr(a, "complete" if full else "reduced")[1], atol=tol)


def test_qr_of_zero_columns():
    a = np.zeros((4, 3))
    a[:, 2] = [0, 0, 3, 4]
    q, r = _run(*gen_ops.qr(tf.constant(a)))
    np.testing.assert_allclose(q @ r, a, atol=1e-14)
    np.testing.assert_allclose(q.T @ q, np.eye(3), atol=1e-14)


@pytest.mark.parametrize("shape", [(4, 4), (6, 3), (2, 4, 3)])
@pytest.mark.parametrize("output", [0, 1])
def test_qr_gradient(shape, output):
    value = _random(shape, np.float64)
    a = tf.constant(value)
    _check_gradient(a, value, gen_ops.qr(a)[output])


def test_qr_without_a_gradient():
    wide = tf.constant(_random((2, 4), np.float64))
    with pytest.raises(NotImplementedError, match="QrGrad not implemented when ncols > nrows"):
        tf.gradients(gen_ops.qr(wide)[1], wide)
    unknown = tf.placeholder(tf.float64, [None, 4])
    with pytest.raises(NotImplementedError, match="QrGrad not implemented with dynamic shapes"):
        tf.gradients(gen_ops.qr(unknown)[1], unknown)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_svd(shape, full, dtype):
    a = _random(shape, dtype)
    outputs = gen_ops.svd(tf.constant(a), full_matrices=full)
    s, u, v = _run(*outputs)
    assert [tuple(x.shape.as_list()) for x in outputs] == [s.shape, u.shape, v.shape]
    tol = 3 * _tolerance(dtype)
    p = min(shape[-2:])
    np.testing.assert_allclose((u[..., :p] * s[..., None, :]) @ _adjoint(v[..., :p]), a, atol=tol)
    for x in (u, v):
        assert x.dtype == dtype
        np.testing.assert_allclose(_adjoint(x) @ x, np.broadcast_to(np.eye(x.shape[-1]), _square(x)), atol=tol)
    assert u.shape[-1] == (shape[-2] if full else p) and v.shape[-1] == (shape[-1] if full else p)
    np.testing.assert_allclose(s, np.linalg.svd(a, compute_uv=False), atol=tol)
    alone = gen_ops.svd(tf.constant(a), compute_uv=False)
    np.testing.assert_array_equal(_run(*alone)[0], s)
    assert alone[1].shape.as_list() == alone[2].shape.as_list() == [0]


def _square(x):
    return (*x.shape[:-2], x.shape[-1], x.shape[-1])


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(6, 4), (4, 6), (5, 5)])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_svd_of_low_rank_and_of_extreme_sizes(dtype, shape, full):
    low = _random((shape[0], 2), dtype) @ _random((2, shape[1]), dtype, seed=1)
    graded = _random(shape, dtype) * np.logspace(0, -14, shape[1])
    batch = np.stack([low, np.zeros(shape), np.ones(shape), 1e200 * low, 1e-200 * low, np.eye(*shape), graded])
    s, u, v = _run(*gen_ops.svd(tf.constant(batch), full_matrices=full))
    expected = np.linalg.svd(batch, compute_uv=False)
    p = min(shape)
    scale = np.maximum(expected[:, :1], 1e-300)
    np.testing.assert_allclose(s / scale, expected / scale, atol=1e-14)
    product = ((u[..., :p] * s[..., None, :]) @ _adjoint(v[..., :p])) / scale[..., None]
    np.testing.assert_allclose(product, batch / scale[..., None], atol=1e-13)
    for x in (u, v):
        np.testing.assert_allclose(_adjoint(x) @ x, np.broadcast_to(np.eye(x.shape[-1]), _square(x)), atol=1e-13)


def test_svd_of_what_is_not_finite():
    s, u, v = _run(*gen_ops.svd(tf.constant([[[np.nan, 1.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 1.0]]])))
    assert np.isnan(s[0]).all() and np.isnan(u[0]).all() and np.isnan(v[0]).all()
    np.testing.assert_allclose(s[1], [2, 1])


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (4, 3), (3, 4), (2, 3, 4), (5, 3)])
@pytest.mark.parametrize("output", [0, 1, 2])
def test_svd_gradient(output, shape, full):
    value = _random(shape, np.float64, seed=2)
    a = tf.constant(value)
    y = gen_ops.svd(a, full_matrices=full)[output]
    if full and shape == (5, 3):
        with pytest.raises(NotImplementedError, match=r"svd gradient is not implemented for abs\(m - n\) > 1"):
            tf.gradients(y, a)
        return
    _check_gradient(a, value, y if output == 0 else _squared(y), 1e-6)


def _squared(x):
    """Squares, which do not depend on signs that the small steps of a numeric gradient may flip."""
    return gen_ops.square(x)


def test_svd_gradient_of_values_alone():
    value = _random((2, 5, 3), np.float64)
    a = tf.constant(value)
    _check_gradient(a, value, gen_ops.svd(a, compute_uv=False)[0])


def test_svd_gradient_of_complex_matrices():
    value = _random((3, 2), np.complex128)
    a = tf.constant(value)
    _check_gradient(a, value, tf.real(gen_ops.svd(a, compute_uv=False)[0]))


def test_svd_gradient_needs_a_shape():
    unknown = tf.placeholder(tf.float64, [None, 4])
    with pytest.raises(NotImplementedError, match="SVD gradient has not been implemented for input with unknown inner"):
        tf.gradients(gen_ops.svd(unknown)[0], unknown)


def test_spectral_norm():
    value = _random((3, 4, 2), np.float64)
    norms = tf.norm(tf.constant(value), ord=2, axis=[-2, -1])
    np.testing.assert_allclose(_run(norms)[0], np.linalg.norm(value, 2, axis=(-2, -1)), rtol=1e-12)


@pytest.mark.parametrize("rank", [0, 1])
def test_factorisations_need_matrices(rank):
    with pytest.raises(ValueError, match=f"Shape must be at least rank 2 but is rank {rank}"):
        gen_ops.qr(tf.zeros([2] * rank))
    with pytest.raises(ValueError, match=f"Shape must be at least rank 2 but is rank {rank}"):
        gen_ops.svd(tf.zeros([2] * rank))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("batch", [(), (3,), (2, 0)])
def test_triangular_solve(batch, adjoint, lower, dtype):
    full = _random((*batch, 4, 4), dtype) + 3 * np.eye(4, dtype=dtype)
    triangle = np.tril(full) if lower else np.triu(full)
    rhs = _random((*batch, 4, 2), dtype, seed=1)
    (x,) = _run(gen_ops.matrix_triangular_solve(tf.constant(full), tf.constant(rhs), lower=lower, adjoint=adjoint))
    np.testing.assert_allclose((_adjoint(triangle) if adjoint else triangle) @ x, rhs, atol=10 * _tolerance(dtype))


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("adjoint", [False, True])
def test_triangular_solve_gradient(adjoint, lower):
    values = _random((2, 3, 3), np.float64) + 3 * np.eye(3), _random((2, 3, 2), np.float64, seed=1)
    a, b = map(tf.constant, values)
    y = gen_ops.matrix_triangular_solve(a, b, lower=lower, adjoint=adjoint)
    for x, value in zip((a, b), values):
        _check_gradient(x, value, y)


def test_triangular_solve_refuses():
    singular = gen_ops.matrix_triangular_solve(tf.constant([[1.0, 0.0], [2.0, 0.0]]), tf.ones([2, 1]))
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="Input matrix is not invertible"):
        session.run(singular)
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 2 and 3"):
        gen_ops.matrix_triangular_solve(tf.ones([2, 2]), tf.ones([3, 1]))


@pytest.mark.parametrize("types", [(a, b) for a in ("float32", "bfloat16") for b in ("float32", "bfloat16")])
@pytest.mark.parametrize("transposed", [(a, b) for a in (False, True) for b in (False, True)])
def test_sparse_mat_mul(transposed, types):
    ta, tb = transposed
    rng = np.random.default_rng(0)
    shapes = (4, 3) if ta else (3, 4), (5, 4) if tb else (4, 5)
    values = [rng.integers(-4, 5, s).astype(tf.as_dtype(t).as_numpy_dtype) for s, t in zip(shapes, types)]
    a, b = map(tf.constant, values)
    y = gen_ops.sparse_mat_mul(a, b, transpose_a=ta, transpose_b=tb, a_is_sparse=True)
    assert y.dtype is tf.float32 and y.shape.as_list() == [3, 5]
    weights = rng.integers(-4, 5, (3, 5)).astype(np.float32)
    grads = tf.gradients(y, [a, b], grad_ys=tf.constant(weights))
    assert [g.dtype for g in grads] == [a.dtype, b.dtype]
    product, grad_a, grad_b = _run(y, *grads)
    x, z = (v.astype(np.float32) for v in values)
    full_a, full_b = x.T if ta else x, z.T if tb else z
    np.testing.assert_array_equal(product, full_a @ full_b)
    expected_a, expected_b = weights @ full_b.T, full_a.T @ weights
    np.testing.assert_array_equal(grad_a.astype(np.float32), expected_a.T if ta else expected_a)
    np.testing.assert_array_equal(grad_b.astype(np.float32), expected_b.T if tb else expected_b)


def test_sparse_mat_mul_by_hint():
    y = tf.matmul(tf.eye(2), tf.constant([[1.0, 2.0], [3.0, 4.0]]), a_is_sparse=True)
    assert y.op.type == "SparseMatMul"
    np.testing.assert_array_equal(_run(y)[0], [[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 3 and 2"):
        gen_ops.sparse_mat_mul(tf.ones([2, 3]), tf.ones([2, 3]))
