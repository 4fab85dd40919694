"""Element-wise ops of a sparse and a dense tensor."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import gen_ops
from tinytf._src.testing import compute_gradient

TYPES = ["float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16"]
OPS = {
    "add": (gen_ops.sparse_dense_cwise_add, np.add),
    "mul": (gen_ops.sparse_dense_cwise_mul, np.multiply),
    "div": (gen_ops.sparse_dense_cwise_div, None),
}
SHAPE = [2, 3, 4]
INDICES = np.array([[0, 0, 1], [0, 2, 3], [1, 1, 0], [1, 2, 2]])
DENSE_SHAPES = [(2, 3, 4), (3, 4), (4,), (), (1, 4), (2, 1, 1), (3, 1)]


def _met(dense):
    return np.broadcast_to(dense, SHAPE)[tuple(INDICES.T)]


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("dense_shape", DENSE_SHAPES)
@pytest.mark.parametrize("dtype", TYPES)
def test_values(dtype, dense_shape, op):
    run, reference = OPS[op]
    as_type = tf.as_dtype(dtype).as_numpy_dtype
    values = np.array([7, 5, 9, 3]).astype(as_type)
    dense = (np.arange(np.prod(dense_shape, dtype=int)) % 3 + 1).reshape(dense_shape).astype(as_type)
    y = run(INDICES, tf.constant(values), SHAPE, tf.constant(dense))
    assert y.shape.as_list() == [4] and y.dtype == tf.as_dtype(dtype)
    if reference is None:
        reference = np.floor_divide if np.issubdtype(as_type, np.integer) else np.true_divide
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(y), reference(values, _met(dense)).astype(as_type))


def test_integers_wrap_and_round_towards_zero():
    i, s = [[0], [1]], [2]
    low = np.iinfo(np.int32).min
    fetches = [
        gen_ops.sparse_dense_cwise_div(i, tf.constant([-7, low]), s, tf.constant([2, -1])),
        gen_ops.sparse_dense_cwise_mul(i, tf.constant([65535] * 2, tf.uint16), s, tf.constant(65535, tf.uint16)),
        gen_ops.sparse_dense_cwise_add(i, tf.constant([low] * 2), s, tf.constant(-1)),
    ]
    with tf.Session() as session:
        quotient, product, total = session.run(fetches)
    np.testing.assert_array_equal(quotient, [-3, low])
    np.testing.assert_array_equal(product, [1, 1])
    np.testing.assert_array_equal(total, [np.iinfo(np.int32).max] * 2)


@pytest.mark.parametrize(
    ("indices", "values", "shape", "dense", "message"),
    [
        (
            [[0, 0]],
            [1.0],
            [2, 3],
            np.ones((3, 3)),
            r"dense to sparse only; got incompatible shapes: \[2,3\] vs. \[3,3\]",
        ),
        ([[0, 0]], [1.0], [1, 3], np.ones((2, 3)), r"incompatible shapes: \[1,3\] vs. \[2,3\]"),
        ([[0]], [1.0], [3], np.ones((1, 3)), r"incompatible shapes: \[3\] vs. \[1,3\]"),
        ([[0, 3]], [1.0], [2, 3], 1.0, "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape"),
        ([[-1, 0]], [1.0], [2, 3], 1.0, "Provided indices are out-of-bounds"),
        ([[0, 0]], [1.0, 2.0], [2, 3], 1.0, "a row for each value"),
        ([[0, 0]], [[1.0]], [2, 3], 1.0, r"Inputs sp_values and sp_shape should be vectors but .*: \[1,1\] and \[2\]"),
        ([[0, 0]], [1], [2, 3], 0, "Integer division by zero"),
    ],
)
def test_refuses(indices, values, shape, dense, message):
    values = np.asarray(values)
    dense = np.asarray(dense, values.dtype)
    y = gen_ops.sparse_dense_cwise_div(indices, tf.constant(values), shape, tf.constant(dense))
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=message):
        session.run(y)


@pytest.mark.parametrize("op", ["mul", "div"])
@pytest.mark.parametrize("dense_shape", [shape for shape in DENSE_SHAPES if shape])
def test_gradient(dense_shape, op):
    rng = np.random.default_rng(0)
    given = rng.uniform(1, 2, 4), rng.uniform(1, 2, dense_shape)
    values, dense = map(tf.constant, given)
    y = OPS[op][0](INDICES, values, SHAPE, dense)
    with tf.Session():
        for x, value in zip((values, dense), given):
            exact, numeric = compute_gradient(x, value.shape, y, [4], x_init_value=value, delta=1e-5)
            np.testing.assert_allclose(exact, numeric, atol=1e-8)


def test_gradient_needs_a_dense_vector():
    values = tf.constant([1.0])
    (grad,) = tf.gradients(gen_ops.sparse_dense_cwise_mul([[0]], values, [1], 2.0), values)
    with (
        tf.Session() as session,
        pytest.raises(tf.errors.InvalidArgumentError, match="params must be at least a vector"),
    ):
        session.run(grad)


def test_addition_has_no_gradient():
    x = tf.constant([1.0])
    with pytest.raises(NotImplementedError, match="Gradient for SparseDenseCwiseAdd is currently not implemented yet."):
        tf.gradients(gen_ops.sparse_dense_cwise_add([[0]], x, [1], 2.0), x)


def test_product_of_dense_and_sparse():
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [3.0, 4.0], [2, 2])
    product = tf.constant([[1.0, 2.0], [5.0, 6.0]]) * sparse
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(product.values), [6, 20])


@pytest.mark.parametrize(
    ("given", "found"),
    [("int8", "float32"), ("uint8", "float32"), ("int32", "float64"), ("int64", "float64"), ("float32", "float32")],
)
def test_integers_are_divided_as_dense_ones_are(given, found):
    sparse = tf.SparseTensor([[0, 0], [1, 1]], np.array([4, 9], given), [2, 2])
    quotient = sparse / np.array([[2], [4]], given)
    with tf.Session() as session:
        assert quotient.dtype == found
        np.testing.assert_array_equal(session.run(quotient.values), [2, 2.25])
        if np.dtype(given).kind != "f":
            np.testing.assert_array_equal(session.run(sparse.__div__(np.array([[2], [4]], given)).values), [2, 2])
