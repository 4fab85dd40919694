"""`fold_batch_norms` folds normalizations of layers, FusedBatchNormV2 and V3, without changing results."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.saved_model.tools.inference import fold_batch_norms, optimize_for_inference

OPS = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
_RANDOM = np.random.RandomState(7)


def _numbers(size):
    return [tf.constant(_RANDOM.rand(size) + 0.5, tf.float32) for _ in range(4)]


def _normal(op, image, size, is_training=False):
    scale, offset, mean, variance = _numbers(size)
    if is_training:
        mean = variance = tf.constant([], tf.float32)
    return getattr(tf.raw_ops, op)(
        x=image, scale=scale, offset=offset, mean=mean, variance=variance, epsilon=0.25, is_training=is_training
    )


def _conv(kind, image, channels):
    if kind == "depthwise":
        weights = tf.constant(_RANDOM.rand(3, 3, image.shape[3].value, 2), image.dtype)
        return tf.nn.depthwise_conv2d_native(image, weights, [1, 1, 1, 1], "SAME")
    weights = tf.constant(_RANDOM.rand(3, 3, image.shape[3].value, channels), image.dtype)
    return tf.nn.conv2d(image, weights, [1, 2, 2, 1], "VALID")


def _values(graph_def, feed):
    with tf.Graph().as_default(), tf.Session() as sess:
        out, x = tf.import_graph_def(graph_def, return_elements=["out:0", "x:0"], name="")
        return sess.run(out, {x: feed})


def _ops(graph_def):
    return [node.op for node in graph_def.node]


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("kind", ["conv", "depthwise"])
@pytest.mark.parametrize("dtype", [tf.float32, tf.float16])
def test_normalizations_become_weights_and_a_bias(op, kind, dtype):
    if dtype == tf.float16 and op == "FusedBatchNorm":
        pytest.raises((TypeError, ValueError), _normal, op, tf.zeros([1, 2, 2, 3], dtype), 3)  # float32 only
        return
    x = tf.placeholder(dtype, [2, 7, 7, 3], name="x")
    y = tf.identity(_conv(kind, x, 6))
    tf.nn.relu(_normal(op, tf.identity(y), 6)[0], name="out")
    graph_def = tf.get_default_graph().as_graph_def()
    optimized = optimize_for_inference(graph_def, ["x"], ["out"], dtype.as_datatype_enum)
    assert not {*_ops(optimized)} & {*OPS, "Identity"}
    assert _ops(optimized).count("BiasAdd") == 1
    feed = _RANDOM.rand(2, 7, 7, 3)
    tolerance = 1e-5 if dtype == tf.float32 else 2e-2
    np.testing.assert_allclose(_values(optimized, feed), _values(graph_def, feed), tolerance, tolerance)


def test_chains_of_blocks_are_folded():
    y = x = tf.placeholder(tf.float32, [1, 16, 16, 3], name="x")
    for kind, size in (("conv", 4), ("depthwise", 8), ("conv", 3), ("depthwise", 6)):
        y = tf.nn.relu6(_normal("FusedBatchNormV3", _conv(kind, y, size), size)[0])
    tf.identity(y, name="out")
    graph_def = tf.get_default_graph().as_graph_def()
    folded = fold_batch_norms(graph_def)
    assert _ops(folded).count("BiasAdd") == 4
    feed = _RANDOM.rand(1, 16, 16, 3)
    np.testing.assert_allclose(_values(folded, feed), _values(graph_def, feed), 1e-4, 1e-4)
    assert x.shape == feed.shape


@pytest.mark.parametrize("op", OPS)
def test_normalizations_that_train_stay(op):
    x = tf.placeholder(tf.float32, [2, 7, 7, 3], name="x")
    tf.nn.relu(_normal(op, _conv("conv", x, 6), 6, is_training=True)[0], name="out")
    assert op in _ops(fold_batch_norms(tf.get_default_graph().as_graph_def()))


@pytest.mark.parametrize("op", OPS)
def test_normalizations_whose_statistics_are_used_stay(op):
    x = tf.placeholder(tf.float32, [2, 7, 7, 3], name="x")
    y, mean, *_ = _normal(op, _conv("conv", x, 6), 6)
    tf.add(y, mean, name="out")
    graph_def = tf.get_default_graph().as_graph_def()
    folded = fold_batch_norms(graph_def)
    assert op in _ops(folded)
    feed = _RANDOM.rand(2, 7, 7, 3)
    np.testing.assert_array_equal(_values(folded, feed), _values(graph_def, feed))
