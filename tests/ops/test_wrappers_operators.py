"""Python operators on tensors: values, dtypes, nodes and errors."""

import operator

import numpy as np
import pytest

import tinytf as tf

X = np.array([[1.5, -2.0, 3.0]], np.float32)
Y = np.array([[2.0, 4.0, -1.0]], np.float32)


@pytest.mark.parametrize(
    "function",
    [
        operator.add,
        operator.sub,
        operator.mul,
        operator.truediv,
        operator.floordiv,
        operator.mod,
        operator.lt,
        operator.le,
        operator.gt,
        operator.ge,
    ],
)
def test_between_tensors_and_numbers(function):
    x, y = tf.constant(X), tf.constant(Y)
    with tf.Session() as sess:
        got = sess.run([function(x, y), function(x, 2.0), function(2.0, y), function(X, y)])
    for value, expected in zip(got, [function(X, Y), function(X, 2), function(2, Y), function(X, Y)], strict=True):
        np.testing.assert_allclose(value, expected)


def test_unary_ones_and_powers():
    x = tf.constant(X)
    with tf.Session() as sess:
        got = sess.run([-x, abs(x), x**2.0, 2.0**x])
    for value, expected in zip(got, [-X, abs(X), X**2, 2**X], strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-6)


def test_bools():
    a = tf.constant([True, True, False, False])
    b = tf.constant([True, False, True, False])
    with tf.Session() as sess:
        got = sess.run([a & b, a | b, a ^ b, ~a, True & b])
    expected = [[1, 0, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 1, 0]]
    np.testing.assert_array_equal(got, np.array(expected, bool))


def test_matrix_product():
    x = tf.constant(X)
    with tf.Session() as sess:
        np.testing.assert_allclose(sess.run(x @ tf.transpose(x)), X @ X.T)


@pytest.mark.parametrize(
    ("dtype", "result"),
    [
        (tf.int32, tf.float64),
        (tf.int64, tf.float64),
        (tf.int8, tf.float32),
        (tf.uint16, tf.float32),
        (tf.float16, tf.float16),
    ],
)
def test_true_division_of_types(dtype, result):
    assert (tf.ones([2], dtype) / tf.ones([2], dtype)).dtype == result


@pytest.mark.parametrize(
    ("build", "nodes"),
    [
        (lambda x: x + 1.0, [("add/y", "Const"), ("add", "AddV2")]),
        (lambda x: 1.0 - x, [("sub/x", "Const"), ("sub", "Sub")]),
        (lambda x: x * x, [("mul", "Mul")]),
        (lambda x: x / 2.0, [("truediv/y", "Const"), ("truediv", "RealDiv")]),
        (lambda x: x // 2.0, [("floordiv/y", "Const"), ("floordiv", "FloorDiv")]),
        (lambda x: x % 2.0, [("mod/y", "Const"), ("mod", "FloorMod")]),
        (lambda x: x**2.0, [("pow/y", "Const"), ("pow", "Pow")]),
        (lambda x: x < 1.0, [("Less/y", "Const"), ("Less", "Less")]),
        (lambda x: -x, [("Neg", "Neg")]),
        (lambda x: abs(x), [("Abs", "Abs")]),
        (
            lambda x: tf.cast(x, tf.int32) / 2,
            [
                ("Cast", "Cast"),
                ("truediv/y", "Const"),
                ("truediv/Cast", "Cast"),
                ("truediv/Cast_1", "Cast"),
                ("truediv", "RealDiv"),
            ],
        ),
    ],
)
def test_nodes(build, nodes):
    build(tf.placeholder(tf.float32, [2], name="x"))
    assert [(op.name, op.type) for op in tf.get_default_graph().get_operations()][1:] == nodes


def test_strings_are_added_by_the_old_op():
    joined = tf.constant("a") + "b"
    assert joined.op.type == "Add"
    with tf.Session() as sess:
        assert sess.run(joined) == b"ab"


def test_types_that_differ():
    x, i = tf.constant(X), tf.constant([1])
    with pytest.raises(TypeError, match="x and y must have the same dtype, got tf.float32 != tf.int32"):
        x / i
    with pytest.raises(TypeError, match="type int32 that does not match type float32 of argument 'x'"):
        x + i
    with pytest.raises(TypeError, match="expected type of bool"):
        operator.invert(x)


def test_other_operand_that_knows_better():
    class Other:
        def __radd__(self, tensor):
            return "mine"

    assert tf.constant(1.0) + Other() == "mine"


def test_a_sparse_operand():
    sparse = tf.SparseTensor([[0, 1]], [2.0], [2, 3])
    with pytest.raises(TypeError, match="Expected binary or unicode string|SparseTensor"):
        tf.constant(X) + sparse


def test_sparse_products():
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [2.0, 4.0], [2, 3])
    with tf.Session() as sess:
        results = sess.run([sparse * [[1.0, 2.0, 3.0]], sparse / 2.0, tf.constant([[3.0], [5.0]]) * sparse])
    np.testing.assert_array_equal([r.values for r in results], [[4.0, 4.0], [1.0, 2.0], [6.0, 20.0]])


def test_equality_is_identity():
    x = tf.constant(X)
    assert (x == tf.constant(X)) is False
    assert x == x
