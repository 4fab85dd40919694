"""Reductions: axes, old and new keywords, nodes."""

import numpy as np
import pytest

import tinytf as tf

X = np.array([[[1.0, -2.0], [3.0, 0.5]], [[0.0, 4.0], [-1.0, 2.0]]], np.float32)

REDUCTIONS = [
    (tf.reduce_sum, np.sum),
    (tf.reduce_mean, np.mean),
    (tf.reduce_prod, np.prod),
    (tf.reduce_max, np.max),
    (tf.reduce_min, np.min),
    (tf.math.reduce_std, np.std),
    (tf.math.reduce_variance, np.var),
]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, -1, [0, 2], []], ids=str)
@pytest.mark.parametrize(("reduce", "reference"), REDUCTIONS, ids=lambda f: f.__name__)
def test_as_numpy_does(reduce, reference, axis, keepdims):
    result = reduce(tf.constant(X), axis=axis, keepdims=keepdims)
    expected = reference(X, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdims)
    with tf.Session() as sess:
        np.testing.assert_allclose(sess.run(result), expected, rtol=1e-5, atol=1e-6)
    assert result.shape.as_list() == list(expected.shape)


def test_bools_and_counts():
    b = X > 0
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run(tf.reduce_all(b, 0)), b.all(0))
        np.testing.assert_array_equal(sess.run(tf.reduce_any(b)), True)
        count = tf.count_nonzero(X, axis=1)
        np.testing.assert_array_equal(sess.run(count), np.count_nonzero(X, axis=1))
    assert count.dtype == tf.int64


@pytest.mark.parametrize("axis", [None, 1, (0, 2)], ids=str)
def test_log_sum_exp(axis):
    expected = np.log(np.exp(X).sum(axis=axis))
    with tf.Session() as sess:
        np.testing.assert_allclose(sess.run(tf.reduce_logsumexp(X, axis)), expected, rtol=1e-5)
        np.testing.assert_allclose(sess.run(tf.reduce_logsumexp(X + 1000, axis)), expected + 1000, rtol=1e-6)


def test_log_sum_exp_of_nothing_but_minus_infinity():
    with tf.Session() as sess:
        assert sess.run(tf.reduce_logsumexp([-np.inf, -np.inf])) == -np.inf


def test_old_keywords():
    x = tf.constant(X)
    assert tf.reduce_sum(x, reduction_indices=1, keep_dims=True).shape.as_list() == [2, 1, 2]
    assert tf.argmax(x, dimension=2).shape.as_list() == [2, 2]
    with pytest.raises(ValueError, match="Cannot specify both 'reduction_indices' and 'axis'"):
        tf.reduce_sum(x, axis=0, reduction_indices=1)
    with pytest.raises(ValueError, match="Cannot specify both 'keep_dims' and 'keepdims'"):
        tf.reduce_sum(x, keepdims=True, keep_dims=True)
    with pytest.raises(ValueError, match="Cannot specify both 'dimension' and 'axis'"):
        tf.argmin(x, axis=0, dimension=1)


def test_argmax():
    with tf.Session() as sess:
        index = tf.argmax(X)
        assert index.dtype == tf.int64
        np.testing.assert_array_equal(sess.run(index), X.argmax(0))
        np.testing.assert_array_equal(sess.run(tf.argmin(X, 1, output_type=tf.int32)), X.argmin(1))


def test_axis_out_of_range():
    with pytest.raises(ValueError, match="Invalid reduction dimension 5 for input with 3 dimensions"):
        tf.reduce_sum(tf.constant(X), 5)


def test_nodes_of_known_and_unknown_rank():
    tf.reduce_sum(tf.placeholder(tf.float32, [None, 2], name="x"))
    tf.reduce_sum(tf.placeholder(tf.float32, name="y"))
    assert [op.name for op in tf.get_default_graph().get_operations()] == [
        "x",
        "Const",
        "Sum",
        "y",
        "Rank",
        "range/start",
        "range/delta",
        "range",
        "Sum_1",
    ]


def test_a_full_reduction_is_a_scalar_even_of_unknown_rank():
    assert tf.reduce_sum(tf.placeholder(tf.float32)).shape.as_list() == []


def test_variance_of_integers():
    with tf.Session() as sess:
        assert sess.run(tf.math.reduce_variance([1, 2, 6])) == 4
    with pytest.raises(TypeError, match="Value passed to parameter 'x' has DataType int32 not in list"):
        tf.math.reduce_std([1, 2])


TWICE = [([0, -3], [0]), ([1, 1], [1]), ([1, -2, 0], [0, 1]), ([0, 1, 2, -1], [0, 1, 2])]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(("named", "axes"), TWICE, ids=str)
@pytest.mark.parametrize(
    "reduce",
    [f for f, _ in REDUCTIONS] + [tf.reduce_logsumexp, tf.math.reduce_euclidean_norm],
    ids=lambda f: f.__name__,
)
def test_an_axis_named_twice_is_named_once(reduce, named, axes, keepdims):
    x = tf.constant(X)
    fed = tf.placeholder(tf.int32, [len(named)])
    twice, once = reduce(x, axis=named, keepdims=keepdims), reduce(x, axis=axes, keepdims=keepdims)
    assert twice.shape.as_list() == once.shape.as_list()
    dynamic = reduce(x, axis=fed, keepdims=keepdims)
    with tf.Session() as sess:
        expected = sess.run(once)
        np.testing.assert_allclose(sess.run(twice), expected, rtol=1e-6)
        np.testing.assert_allclose(sess.run(dynamic, {fed: named}), expected, rtol=1e-6)


@pytest.mark.parametrize("reduce", [tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp])
def test_gradients_where_an_axis_is_named_twice(reduce):
    x = tf.constant(X)
    twice, once = (tf.gradients(reduce(x, axis=axis), x)[0] for axis in ([0, -3, 1], [0, 1]))
    with tf.Session() as sess:
        np.testing.assert_allclose(*sess.run([twice, once]), rtol=1e-6)


def test_other_reductions_over_an_axis_named_twice():
    flags = np.array([[True, False], [True, True]])
    with tf.Session() as sess:
        assert sess.run(tf.reduce_all(flags, [0, -2])).tolist() == [True, False]
        assert sess.run(tf.reduce_any(flags, [0, 0])).tolist() == [True, True]
        assert sess.run(tf.count_nonzero([[1.0, 0.0], [3.0, 4.0]], axis=[0, -2])).tolist() == [2, 1]
