"""`map_fn`, `foldl`, `foldr` and `scan`, in graphs and in eager execution."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode

X = np.arange(12, dtype=np.float32).reshape(4, 3) / 8


def _in_a_graph(program):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(program())


def _executed(program):
    with eager_mode(), tf.EagerSession():
        return tf.nest.map_structure(lambda tensor: tensor.numpy(), program())


@pytest.fixture(params=[_in_a_graph, _executed], ids=["graph", "eager"])
def run(request):
    return request.param


def _same(got, wanted):
    tf.nest.map_structure(np.testing.assert_allclose, got, wanted)


def test_maps(run):
    _same(run(lambda: tf.map_fn(lambda x: tf.reduce_sum(x) * x, X)), X.sum(1, keepdims=True) * X)


def test_maps_of_structures_and_types(run):
    def program():
        return tf.map_fn(
            lambda x: {"sum": x[0] + x[1]["b"], "i": tf.cast(x[0], tf.int32)},
            (X, {"b": X * 2}),
            {"sum": tf.float32, "i": tf.int32},
        )

    _same(run(program), {"sum": X * 3, "i": X.astype(np.int32)})


def test_maps_of_nothing():
    assert _in_a_graph(lambda: tf.map_fn(lambda x: x * 2.0, X[:0])).shape == (0, 3)
    assert _executed(lambda: tf.map_fn(lambda x: x * 2.0, X[:0])).shape == (0,)  # the shape is unknown


def test_folds(run):
    _same(run(lambda: tf.foldl(lambda a, x: a * 2.0 - x, X)), ((X[0] * 2 - X[1]) * 2 - X[2]) * 2 - X[3])
    _same(run(lambda: tf.foldr(lambda a, x: a * 2.0 - x, X)), ((X[3] * 2 - X[2]) * 2 - X[1]) * 2 - X[0])
    _same(run(lambda: tf.foldl(lambda a, x: a + tf.reduce_sum(x), X, initializer=1.0)), 1 + X.sum())
    _same(run(lambda: tf.foldr(lambda a, x: a + tf.reduce_max(x), X, initializer=1.0)), 1 + X.max(1).sum())


def test_folds_of_structures(run):
    def program():
        y = tf.constant(X)
        return tf.foldl(lambda a, x: (a[0] + x[0], a[1] * x[1]), (y, y + 1.0))

    _same(run(program), (X.sum(0), (X + 1).prod(0)))


def test_scans(run):
    _same(run(lambda: tf.scan(lambda a, x: a + x, X)), X.cumsum(0))
    _same(run(lambda: tf.scan(lambda a, x: a + x, X, reverse=True)), X[::-1].cumsum(0)[::-1])
    _same(run(lambda: tf.scan(lambda a, x: a + tf.reduce_sum(x), X, initializer=1.0)), 1 + X.sum(1).cumsum())
    fibonacci = run(lambda: tf.scan(lambda a, _: (a[1], a[0] + a[1]), tf.zeros([6]), initializer=(0, 1)))
    _same(fibonacci, (np.array([1, 1, 2, 3, 5, 8]), np.array([1, 2, 3, 5, 8, 13])))


def test_sizes_that_are_known_in_the_step():
    x = tf.placeholder(tf.float32, [None, 3])
    results = tf.map_fn(tf.square, x), tf.scan(lambda a, y: a + y, x), tf.foldr(lambda a, y: a + y, x)
    assert [result.shape.as_list() for result in results] == [[None, 3], [None, 3], [3]]
    with tf.Session() as session:
        for rows in (4, 1):
            _same(session.run(results, {x: X[:rows]}), (X[:rows] ** 2, X[:rows].cumsum(0), X[:rows].sum(0)))


def test_gradients():
    x = tf.constant(X)
    y = tf.reduce_sum(tf.map_fn(tf.square, x)) + tf.reduce_sum(tf.scan(lambda a, y: a * y, x + 1.0))
    y += tf.reduce_sum(tf.foldl(lambda a, y: a * y, x + 2.0))
    with tf.Session():
        assert tf.test.compute_gradient_error(x, [4, 3], y, [], X, 1e-2) < 2e-2


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: tf.map_fn(None, X), TypeError, "fn must be callable."),
        (lambda: tf.scan(1, X), TypeError, "fn must be callable."),
        (lambda: tf.map_fn(tf.square, 1.0), ValueError, "elems must be a 1[+] dimensional Tensor, not a scalar"),
        (
            lambda: tf.map_fn(sum, [1.0, 2.0]),
            ValueError,
            "elements in elems must be 1[+] dimensional Tensors, not scalars",
        ),
        (lambda: tf.map_fn(lambda x: (x, x), X), ValueError, "The two structures don't have the same nested structure"),
        (
            lambda: tf.map_fn(tf.square, tf.SparseTensor([[0]], [1.0], [1])),
            TypeError,
            "To perform a map on the values of a sparse tensor",
        ),
    ],
)
def test_mistakes(call, error, text, run):
    with pytest.raises(error, match=text):
        run(call)


def test_another_type_than_was_told_fails_in_the_step():
    y = tf.map_fn(lambda x: tf.cast(x, tf.int32), tf.constant(X))
    with (
        tf.Session() as session,
        pytest.raises(
            tf.errors.InvalidArgumentError, match="TensorArray dtype is float but Op is trying to write dtype int32."
        ),
    ):
        session.run(y)
