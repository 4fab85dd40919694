"""Concatenating, splitting, filling and gathering: values, shapes and errors of the wrappers."""

import numpy as np
import pytest

import tinytf as tf

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def run(fetches, feeds=None):
    with tf.Session() as sess:
        return sess.run(fetches, feeds)


def test_lists_of_tensors_and_numbers_become_tensors():
    s = tf.placeholder(tf.int32, [])
    packed = tf.convert_to_tensor([[s, 1], [2, 3]])
    assert packed.shape.as_list() == [2, 2]
    np.testing.assert_array_equal(run(packed, {s: 7}), [[7, 1], [2, 3]])
    np.testing.assert_array_equal(run(tf.convert_to_tensor([s, 1], tf.float32), {s: 7}), [7.0, 1.0])
    np.testing.assert_array_equal(run(tf.reshape(X, [s, -1]), {s: 3}), X.reshape(3, 2))
    with pytest.raises(TypeError, match="Cannot convert a list containing a tensor of dtype"):
        tf.convert_to_tensor([s, tf.constant(1.0)])


def test_concat_stack_and_back():
    x = tf.constant(X)
    joined, stacked = tf.concat([x, x], -1), tf.stack([x, x], axis=1)
    for value, expected in zip(run([joined, stacked]), [np.concatenate([X, X], -1), np.stack([X, X], 1)], strict=True):
        np.testing.assert_array_equal(value, expected)
    np.testing.assert_array_equal(run(tf.split(x, [1, -1], axis=1)[1]), X[:, 1:])
    np.testing.assert_array_equal(run(tf.split(x, 3, 1)), np.split(X, 3, 1))
    np.testing.assert_array_equal(run(tf.unstack(x, axis=1)), X.T)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda x, r: tf.stack([x, x], axis=5), r"axis = 5 not in \[-3, 3\)"),
        (lambda x, r: tf.unstack(x, axis=-3), r"axis = -3 not in \[-2, 2\)"),
        (lambda x, r: tf.unstack(r), "Cannot infer num from shape <unknown>"),
        (lambda x, r: tf.split(x, tf.constant(2)), "Rank-0 tensors are not supported"),
        (lambda x, r: tf.expand_dims(x), "Must specify an axis argument to tf.expand_dims"),
        (lambda x, r: tf.expand_dims(x, 0, dim=1), "Cannot specify both 'dim' and 'axis'"),
        (lambda x, r: tf.squeeze(x, [0], squeeze_dims=[0]), "Cannot specify both 'squeeze_dims' and 'axis'"),
        (lambda x, r: tf.where(x > 0, x), "x and y must both be non-None or both be None."),
        (lambda x, r: tf.boolean_mask(x, True), "mask cannot be scalar."),
        (lambda x, r: tf.boolean_mask(x, r > 0), "Number of mask dimensions must be specified"),
        (lambda x, r: tf.sequence_mask([1], [1]), "maxlen must be scalar for sequence_mask"),
        (lambda x, r: tf.pad(x, [[0, 0], [1, 1]], "FOO"), "Unknown padding mode: FOO"),
        (lambda x, r: tf.matrix_transpose(x[0]), r"should be a \(batch\) matrix, with rank >= 2"),
        (lambda x, r: tf.meshgrid([1], indexing="no"), "indexing parameter must be either 'xy' or 'ij'"),
        (lambda x, r: tf.matmul(x, x, transpose_a=True, adjoint_a=True), "Only one of transpose_a and adjoint_a"),
        (lambda x, r: tf.matmul(x, x), "Dimensions must be equal, but are 3 and 2"),
        (lambda x, r: tf.norm(x, ord="foo"), "'ord' must be a supported vector norm"),
    ],
)
def test_value_errors(call, text):
    with pytest.raises(ValueError, match=text):
        call(tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32))


def test_one_hot_types():
    assert tf.one_hot([1], 3).dtype == tf.float32
    assert tf.one_hot([1], 3, on_value=2, off_value=1).dtype == tf.int32
    np.testing.assert_array_equal(
        run(tf.one_hot([[1], [5]], 3, axis=0, dtype=tf.int64))[:, :, 0], [[0, 0], [1, 0], [0, 0]]
    )
    with pytest.raises(TypeError, match="of on_value does not match dtype .* of off_value"):
        tf.one_hot([1], 3, on_value=1, off_value=2.0)
    with pytest.raises(TypeError, match="of on_value does not match dtype parameter"):
        tf.one_hot([1], 3, on_value=1.5, off_value=2.0, dtype=tf.int32)


def test_unit_matrices():
    s = tf.placeholder(tf.int32, [])
    np.testing.assert_array_equal(run(tf.eye(2, 3)), np.eye(2, 3))
    np.testing.assert_array_equal(run(tf.eye(2, batch_shape=[3])), np.stack([np.eye(2)] * 3))
    np.testing.assert_array_equal(run(tf.eye(s, 4), {s: 2}), np.eye(2, 4))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_grids(indexing):
    parts = [1, 2], [3, 4, 5], [6]
    for value, expected in zip(
        run(tf.meshgrid(*parts, indexing=indexing)), np.meshgrid(*parts, indexing=indexing), strict=True
    ):
        np.testing.assert_array_equal(value, expected)


def test_sequence_mask():
    np.testing.assert_array_equal(run(tf.sequence_mask([1, 3])), [[1, 0, 0], [1, 1, 1]])
    assert tf.sequence_mask([1, 3], 5, dtype=tf.float32).shape.as_list() == [2, 5]


def test_gather_in_batches():
    params, indices = np.arange(24).reshape(2, 3, 4), np.array([[2, 0], [1, 1]])
    expected = np.stack([p[i] for p, i in zip(params, indices, strict=True)])
    np.testing.assert_array_equal(run(tf.batch_gather(params, indices)), expected)
    np.testing.assert_array_equal(run(tf.gather(params, indices, batch_dims=1)), expected)
    np.testing.assert_array_equal(run(tf.gather_nd(params, indices[..., None], batch_dims=1)), expected)


def test_static_broadcasting():
    shape = tf.broadcast_static_shape(tf.TensorShape([2, 1, None]), tf.TensorShape([3, 1]))
    assert shape.as_list() == [2, 3, None]
    with pytest.raises(ValueError, match="Incompatible shapes for broadcasting"):
        tf.broadcast_static_shape(tf.TensorShape([2]), tf.TensorShape([3]))


@pytest.mark.parametrize(
    "equation",
    [
        "ij,jk->ik",
        "ij,kj->ik",
        "ij,ij->",
        "ij,ij->ij",
        "ij,ij->i",
        "ij->ji",
        "ij->i",
        "ij,jk",
        "ij,jk,kl->il",
        "i,j->ji",
        "ij,ij,ij->i",
        "ij,ik,il->jkl",
        "i,i,i",
    ],
)
def test_einsum(equation):
    sizes = {"i": 2, "j": 3, "k": 4, "l": 5}
    if equation == "ij,kj->ik":
        sizes["k"] = 2
    inputs = equation.split("->")[0].split(",")
    arrays = [np.random.RandomState(i).randn(*(sizes[c] for c in s)).astype(np.float32) for i, s in enumerate(inputs)]
    np.testing.assert_allclose(run(tf.einsum(equation, *arrays)), np.einsum(equation, *arrays), rtol=1e-4, atol=1e-5)
    unknown = [tf.placeholder(tf.float32, [None] * a.ndim) for a in arrays]
    got = run(tf.einsum(equation, *unknown), dict(zip(unknown, arrays, strict=True)))
    np.testing.assert_allclose(got, np.einsum(equation, *arrays), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("...ij,jk->...ik", [(2, 5, 3, 4), (4, 3)]),
        ("...ij,...jk", [(2, 3, 4), (2, 4, 5)]),
        ("a...b,b...->a...", [(2, 3, 4), (4, 3)]),
        ("...i->i...", [(2, 3, 4)]),
        ("i...,i", [(3,), (3,)]),
        ("ii", [(3, 3)]),
    ],
)
def test_einsum_over_axes_without_labels(equation, shapes):
    arrays = [np.random.RandomState(i).randn(*shape).astype(np.float32) for i, shape in enumerate(shapes)]
    np.testing.assert_allclose(run(tf.einsum(equation, *arrays)), np.einsum(equation, *arrays), rtol=1e-4, atol=1e-5)


def test_einsum_errors():
    with pytest.raises(ValueError, match='Got 1 arguments for equation "ij,jk->ik", expecting 2'):
        tf.einsum("ij,jk->ik", X)
    with pytest.raises(ValueError, match="an axis appears more than once"):
        tf.einsum("ii->i", X)
    with pytest.raises(ValueError, match="Tensor t0 of rank 2 does not match einsum reduction of length 3"):
        tf.einsum("ijk,jk->ik", X, X)
    with pytest.raises(ValueError, match="Invalid reduction dimension"):
        tf.einsum("ijk->i", X)
    with pytest.raises(ValueError, match="Excess number found"):
        tf.einsum("...i...", X)
    with pytest.raises(ValueError, match="Ellipses lengths do not match"):
        tf.einsum("ijk...", X)
    with pytest.raises(ValueError, match="Unable to statically infer ellipsis axes"):
        tf.einsum("i...", tf.placeholder(tf.float32))
    with pytest.raises(ValueError, match="Indices have incorrect format"):
        tf.einsum("i.j", X)
    with pytest.raises(TypeError, match="invalid keyword arguments"):
        tf.einsum("ij->i", X, foo=1)


@pytest.mark.parametrize("axes", [0, 1, [[1], [1]], [[0, 1], [0, 1]], [-1, -1]], ids=str)
@pytest.mark.parametrize("known", [True, False])
def test_tensordot(axes, known):
    a, b = X, (X.T if axes == 1 else X) + 1
    left = tf.constant(a) if known else tf.placeholder(tf.float32, [None, None])
    expected = np.tensordot(a, b, axes)
    result = tf.tensordot(left, b, axes)
    np.testing.assert_allclose(run(result, None if known else {left: a}), expected, rtol=1e-5)
    assert result.shape.is_compatible_with(expected.shape)


@pytest.mark.parametrize(
    ("order", "axis"),
    [("euclidean", None), (1, 0), (2, -1), (np.inf, None), (3, 1), ("fro", [0, 1]), (1, [0, 1]), (np.inf, (0, 1))],
    ids=str,
)
def test_norms(order, axis):
    reference = None if order == "euclidean" else order
    flat = X.ravel() if axis is None else X
    expected = np.linalg.norm(
        flat, reference, None if axis is None else tuple(axis) if isinstance(axis, (list, tuple)) else axis
    )
    np.testing.assert_allclose(run(tf.norm(X, order, axis)), expected, rtol=1e-5)


def test_accumulating():
    x = tf.constant(X)
    np.testing.assert_array_equal(run(tf.add_n([x, x, x])), 3 * X)
    np.testing.assert_array_equal(run(tf.accumulate_n([x, x])), 2 * X)
    assert tf.add_n([x]) is x
    with pytest.raises(ValueError, match="inputs must be a list of at least one Tensor"):
        tf.add_n([])
    with pytest.raises(ValueError, match="inputs must be a list of at least one Tensor"):
        tf.accumulate_n([])


def test_saturating_casts():
    np.testing.assert_array_equal(run(tf.saturate_cast([-5.0, 3.7, 999.0], tf.uint8)), [0, 3, 255])
    x = tf.constant(X)
    assert tf.cast(x, tf.float32) is x


@pytest.mark.parametrize("axis", [-1, 0, 1])
@pytest.mark.parametrize("direction", ["ASCENDING", "DESCENDING"])
def test_sorting(axis, direction):
    x = np.random.RandomState(0).permutation(24).reshape(2, 3, 4).astype(np.float32)
    sign = 1 if direction == "ASCENDING" else -1
    values, indices = run([tf.sort(x, axis, direction), tf.argsort(x, axis, direction)])
    np.testing.assert_array_equal(values, sign * np.sort(sign * x, axis))
    np.testing.assert_array_equal(indices, np.argsort(sign * x, axis))
    with pytest.raises(ValueError, match="should be one of ASCENDING, DESCENDING"):
        tf.sort(x, direction="UP")


def test_confusion_matrices():
    np.testing.assert_array_equal(
        run(tf.math.confusion_matrix([1, 2, 1], [1, 1, 1])), [[0, 0, 0], [0, 2, 0], [0, 1, 0]]
    )
    weighted = tf.math.confusion_matrix([0, 1], [1, 1], 2, tf.float32, weights=[0.5, 2.0])
    np.testing.assert_array_equal(run(weighted), [[0, 0.5], [0, 2]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="`labels` contains negative values"):
        run(tf.math.confusion_matrix([-1], [0]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="`predictions` out of bound"):
        run(tf.math.confusion_matrix([0], [3], 2))


def test_products_of_mixed_types_and_sparse_hints():
    a, b = tf.cast(X, tf.bfloat16), tf.constant(X.T)
    product = tf.matmul(a, b)
    assert product.dtype == tf.float32
    np.testing.assert_allclose(run(product), X @ X.T)
    np.testing.assert_allclose(run(tf.matmul(X, X, transpose_b=True, a_is_sparse=True)), X @ X.T)
    np.testing.assert_array_equal(run(tf.parallel_stack([X, X])), np.stack([X, X]))
