"""`tf.nn`: values checked with NumPy, forms of arguments, errors."""

import numpy as np
import pytest

import tinytf as tf

X = np.random.RandomState(0).randn(2, 3, 4).astype(np.float32)
IMAGE = np.random.RandomState(1).randn(1, 6, 6, 2).astype(np.float32)
FILTER = np.random.RandomState(2).randn(3, 3, 2, 2).astype(np.float32)


def run(fetches, feeds=None):
    with tf.Session() as sess:
        return sess.run(fetches, feeds)


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
def test_softmax_along_any_axis(axis):
    expected = softmax(X, axis)
    plain, log = run([tf.nn.softmax(X, axis), tf.nn.log_softmax(X, dim=axis)])
    np.testing.assert_allclose(plain, expected, rtol=1e-5)
    np.testing.assert_allclose(log, np.log(expected), rtol=1e-4, atol=1e-5)


def test_softmax_errors():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Dimension \(3\) must be in the range \[-3, 3\)"):
        tf.nn.softmax(X, 3)
    with pytest.raises(ValueError, match="Cannot specify both 'dim' and 'axis'"):
        tf.nn.softmax(X, 0, dim=1)


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_cross_entropy(axis):
    labels = softmax(X * 2, axis)
    expected = -(labels * np.log(softmax(X, axis))).sum(axis)
    result = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=X, axis=axis)
    np.testing.assert_allclose(run(result), expected, rtol=1e-4)
    assert result.shape.as_list() == list(expected.shape)
    old = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=X, dim=axis)
    np.testing.assert_allclose(run(old), expected, rtol=1e-4)


@pytest.mark.parametrize("known", [True, False])
def test_sparse_cross_entropy(known):
    labels = np.array([[0, 1, 2], [3, 3, 0]])
    expected = -np.log(np.take_along_axis(softmax(X, -1), labels[..., None], -1))[..., 0]
    logits = tf.constant(X) if known else tf.placeholder(tf.float32, [None, None, 4])
    result = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    np.testing.assert_allclose(run(result, None if known else {logits: X}), expected, rtol=1e-4)


def test_cross_entropy_errors():
    with pytest.raises(ValueError, match="Only call `softmax_cross_entropy_with_logits` with named arguments"):
        tf.nn.softmax_cross_entropy_with_logits(X, X)
    with pytest.raises(ValueError, match="Both labels and logits must be provided."):
        tf.nn.sigmoid_cross_entropy_with_logits(labels=X)
    with pytest.raises(ValueError, match="Rank mismatch: Rank of labels .received 1."):
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=X)
    with pytest.raises(ValueError, match="Shape mismatch: The shape of labels"):
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=X[0])
    with pytest.raises(ValueError, match="Logits cannot be scalars"):
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=1, logits=1.0)
    with pytest.raises(ValueError, match="logits and labels must have the same shape"):
        tf.nn.sigmoid_cross_entropy_with_logits(labels=X[0], logits=X[1:])


def test_sigmoid_cross_entropies():
    labels = (X > 0.3).astype(np.float32)
    p = 1 / (1 + np.exp(-X))
    plain = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=X)
    weighted = tf.nn.weighted_cross_entropy_with_logits(labels, X, 3.0)
    got = run([plain, weighted])
    np.testing.assert_allclose(got[0], -labels * np.log(p) - (1 - labels) * np.log(1 - p), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(got[1], -3 * labels * np.log(p) - (1 - labels) * np.log(1 - p), rtol=1e-4, atol=1e-5)


def convolved(image, filter, pads, stride=1, dilation=1):
    image = np.pad(image, [(0, 0), *pads, (0, 0)])
    span = dilation * (filter.shape[0] - 1) + 1
    rows = range(0, image.shape[1] - span + 1, stride)
    columns = range(0, image.shape[2] - span + 1, stride)
    windows = [[image[0, r : r + span : dilation, c : c + span : dilation] for c in columns] for r in rows]
    return np.einsum("rchwi,hwio->rco", np.array(windows), filter)[None]


@pytest.mark.parametrize(
    ("arguments", "reference"),
    [
        ({"strides": [1, 1, 1, 1], "padding": "VALID"}, {"pads": [(0, 0)] * 2}),
        ({"strides": 2, "padding": "VALID"}, {"pads": [(0, 0)] * 2, "stride": 2}),
        ({"strides": [1, 1], "padding": "SAME"}, {"pads": [(1, 1)] * 2}),
        ({"strides": 1, "padding": [[0, 0], [2, 0], [0, 1], [0, 0]]}, {"pads": [(2, 0), (0, 1)]}),
        ({"strides": 1, "padding": "VALID", "dilations": 2}, {"pads": [(0, 0)] * 2, "dilation": 2}),
    ],
    ids=str,
)
def test_convolution(arguments, reference):
    np.testing.assert_allclose(
        run(tf.nn.conv2d(IMAGE, FILTER, **arguments)), convolved(IMAGE, FILTER, **reference), rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("known", [True, False])
def test_dilated_convolutions(padding, known):
    image = tf.constant(IMAGE) if known else tf.placeholder(tf.float32, [None, None, None, 2])
    pads = [(2, 2)] * 2 if padding == "SAME" else [(0, 0)] * 2
    feeds = None if known else {image: IMAGE}
    atrous = tf.nn.atrous_conv2d(image, FILTER, 2, padding)
    np.testing.assert_allclose(run(atrous, feeds), convolved(IMAGE, FILTER, pads, dilation=2), rtol=1e-4, atol=1e-5)
    depthwise = tf.nn.depthwise_conv2d(image, FILTER, [1, 1, 1, 1], padding, rate=[2, 2])
    block = np.zeros([3, 3, 2, 4], np.float32)
    for channel in range(2):
        block[:, :, channel, 2 * channel : 2 * channel + 2] = FILTER[:, :, channel]
    np.testing.assert_allclose(run(depthwise, feeds), convolved(IMAGE, block, pads, dilation=2), rtol=1e-4, atol=1e-5)


def test_convolution_errors():
    with pytest.raises(ValueError, match='"EXPLICIT" is not a valid value for the padding parameter'):
        tf.nn.conv2d(IMAGE, FILTER, 1, "EXPLICIT")
    with pytest.raises(ValueError, match="strides should be of length 1, 2 or 4 but was 3"):
        tf.nn.conv2d(IMAGE, FILTER, [1, 1, 1], "SAME")
    with pytest.raises(ValueError, match="it must be of size 4"):
        tf.nn.conv2d(IMAGE, FILTER, 1, [[0, 0]])
    with pytest.raises(ValueError, match="Cannot specify both 'filter' and 'filters'"):
        tf.nn.conv2d(IMAGE, FILTER, 1, "SAME", filters=FILTER)
    with pytest.raises(ValueError, match="ksize cannot be zero"):
        tf.nn.max_pool(IMAGE, 0, 1, "SAME")
    with pytest.raises(ValueError, match="must be of the form"):
        tf.nn.bias_add(IMAGE, [1.0, 2.0], data_format="HWC")


def test_pooling():
    windows = IMAGE.reshape(1, 3, 2, 3, 2, 2)
    for form in ([1, 2, 2, 1], 2, [2, 2]):
        np.testing.assert_allclose(run(tf.nn.max_pool(IMAGE, form, form, "VALID")), windows.max((2, 4)))
        np.testing.assert_allclose(run(tf.nn.avg_pool(IMAGE, form, form, "SAME")), windows.mean((2, 4)), rtol=1e-5)


def test_statistics_and_normalisation():
    mean, variance = tf.nn.moments(tf.constant(X), [0, 2])
    np.testing.assert_allclose(run(mean), X.mean((0, 2)), rtol=1e-4)
    np.testing.assert_allclose(run(variance), X.var((0, 2)), rtol=1e-4)
    again = tf.nn.normalize_moments(*tf.nn.sufficient_statistics(X, [0, 2], shift=0.5))
    np.testing.assert_allclose(run(again), [X.mean((0, 2)), X.var((0, 2))], rtol=1e-4)
    m, v = X.mean(0), X.var(0)
    normal = tf.nn.batch_normalization(tf.constant(X), m, v, None, None, 1e-3)
    np.testing.assert_allclose(run(normal), (X - m) / np.sqrt(v + 1e-3), rtol=1e-4, atol=1e-5)
    unit = run(tf.nn.l2_normalize(X, 1))
    np.testing.assert_allclose((unit**2).sum(1), np.ones([2, 4]), rtol=1e-5)
    with pytest.raises(ValueError, match="must be None if is_training is True"):
        tf.nn.fused_batch_norm(IMAGE, [1.0, 1.0], [0.0, 0.0], mean=[0.0, 0.0])


@pytest.mark.parametrize("strategy", ["mod", "div"])
@pytest.mark.parametrize("known", [True, False])
def test_embeddings_in_parts(strategy, known):
    table = np.arange(14, dtype=np.float32).reshape(7, 2)
    parts = [table[i::3] for i in range(3)] if strategy == "mod" else np.split(table, [3, 5])
    ids = np.array([[6, 0], [3, 5]])
    fed = {} if known else {tf.placeholder(tf.float32, [None, 2]): part for part in parts}
    params = [tf.constant(part) for part in parts] if known else list(fed)
    np.testing.assert_array_equal(run(tf.nn.embedding_lookup(params, ids, strategy), fed), table[ids])


def test_embeddings_with_a_largest_norm():
    table = np.array([[3.0, 4.0], [0.3, 0.4]], np.float32)
    got = run(tf.nn.embedding_lookup(table, [0, 1], max_norm=1.0))
    np.testing.assert_allclose(got, [[0.6, 0.8], [0.3, 0.4]], rtol=1e-5)
    with pytest.raises(ValueError, match="Unrecognized partition strategy: foo"):
        tf.nn.embedding_lookup([table, table], [0], "foo")


def test_dropout():
    x = tf.ones([1000])
    kept = run(tf.nn.dropout(x, rate=0.25, seed=1))
    assert set(np.unique(kept)) == {np.float32(0), np.float32(1 / 0.75)}
    assert 200 < (kept == 0).sum() < 300
    rows = run(tf.nn.dropout(tf.ones([5, 4]), 0.5, [None, 1], seed=1))
    assert (rows == rows[:, :1]).all()
    assert tf.nn.dropout(x, 1.0) is x


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"rate": 1.5}, r"rate must be a scalar tensor or a float in the range \[0, 1\), got 1.5"),
        ({"keep_prob": 0.0}, "got 1"),
        ({}, "You must provide a rate to dropout."),
        ({"keep_prob": 0.5, "rate": 0.5}, "Cannot specify both 'keep_prob' and 'rate'"),
        ({"keep_prob": "a"}, "keep_prob must be a floating point number or Tensor"),
    ],
)
def test_dropout_errors(arguments, text):
    with pytest.raises(ValueError, match=text):
        tf.nn.dropout(tf.ones([2]), **arguments)
    with pytest.raises(ValueError, match="x has to be a floating point tensor"):
        tf.nn.dropout([1], 0.5)


def test_the_rest():
    x = X[0]
    values, indices = run(tf.nn.top_k(x, 2))
    np.testing.assert_array_equal(indices, np.argsort(-x, 1)[:, :2])
    np.testing.assert_array_equal(values, np.sort(x, 1)[:, :-3:-1])
    best = x.argmax(1)
    assert run(tf.nn.in_top_k(x, [best[0], best[1], x[2].argmin()], 1)).tolist() == [True, True, False]
    np.testing.assert_allclose(run(tf.nn.crelu(x)), np.maximum(np.concatenate([x, -x], 1), 0))
    np.testing.assert_allclose(run(tf.nn.leaky_relu(x, 0.1)), np.where(x > 0, x, 0.1 * x), rtol=1e-6)
    np.testing.assert_allclose(run(tf.nn.relu6(x * 9)), np.clip(x * 9, 0, 6))
    weights, bias = np.ones([4, 2], np.float32), np.array([1.0, 2.0], np.float32)
    np.testing.assert_allclose(run(tf.nn.xw_plus_b(x, weights, bias)), x @ weights + bias, rtol=1e-5)
    assert run(tf.nn.zero_fraction([0.0, 1.0, 0.0, 0.0])) == 0.75


def test_general_pooling_and_convolution():
    got = run(tf.nn.pool(IMAGE, [2, 2], "MAX", "VALID", strides=[2, 2]))
    np.testing.assert_allclose(got, IMAGE.reshape(1, 3, 2, 3, 2, 2).max((2, 4)))
    dilated = run(tf.nn.pool(IMAGE, [2, 2], "AVG", "VALID", dilation_rate=[2, 2]))
    expected = (IMAGE[:, :4, :4] + IMAGE[:, 2:, :4] + IMAGE[:, :4, 2:] + IMAGE[:, 2:, 2:]) / 4
    np.testing.assert_allclose(dilated, expected, rtol=1e-5, atol=1e-6)
    plain = run(tf.nn.convolution(IMAGE, FILTER, "SAME"))
    np.testing.assert_allclose(plain, run(tf.nn.conv2d(IMAGE, FILTER, 1, "SAME")))
    with pytest.raises(ValueError, match="strides > 1 not supported in conjunction with dilation_rate > 1"):
        tf.nn.convolution(IMAGE, FILTER, "SAME", strides=[2, 2], dilation_rate=[2, 2])


def test_three_dimensions():
    volume, filter = np.ones([1, 3, 3, 3, 1], np.float32), np.ones([2, 2, 2, 1, 1], np.float32)
    np.testing.assert_allclose(run(tf.nn.conv3d(volume, filter, [1] * 5, "VALID")), np.full([1, 2, 2, 2, 1], 8.0))
    back = run(tf.nn.conv3d_transpose(volume[:, :2, :2, :2], filter, [1, 3, 3, 3, 1], [1] * 5, "VALID"))
    np.testing.assert_allclose(back[0, :, 1, 1, 0], [4, 8, 4])
