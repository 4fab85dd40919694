"""Second gradients of batch normalization agree with finite differences, in graphs and on tapes."""

import numpy as np
import pytest

import tinytf as tf

_RNG = np.random.default_rng(7)
_X = _RNG.normal(size=(2, 2, 2, 2)).astype(np.float32)
_DY = _RNG.normal(size=(2, 2, 2, 2)).astype(np.float32)
_SCALE, _OFFSET = np.array([0.5, 1.5], np.float32), np.array([0.1, -0.2], np.float32)
_STATISTICS = np.array([0.2, -0.4], np.float32), np.array([1.5, 0.7], np.float32)
_OPS = [tf.raw_ops.FusedBatchNorm, tf.raw_ops.FusedBatchNormV2, tf.raw_ops.FusedBatchNormV3]


def _normalized(op, x, scale, offset, training, data_format="NHWC"):
    none = np.zeros(0, np.float32)
    mean, variance = (none, none) if training else _STATISTICS
    return op(
        x=x,
        scale=scale,
        offset=offset,
        mean=mean,
        variance=variance,
        epsilon=0.01,
        is_training=training,
        data_format=data_format,
    )[0]


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("op", _OPS, ids=lambda op: op.__name__)
def test_against_differences(op, training, data_format):
    with tf.Graph().as_default(), tf.Session():
        x, dy, scale = tf.constant(_X), tf.constant(_DY), tf.constant(_SCALE)
        y = _normalized(op, x, scale, tf.constant(_OFFSET), training, data_format)
        for first in tf.gradients(y, [x, scale], dy):
            weights = tf.constant(_RNG.normal(size=first.shape.as_list()).astype(np.float32))
            total = tf.reduce_sum(first * weights)
            for of, value in ((x, _X), (dy, _DY), (scale, _SCALE)):
                exact, numeric = tf.test.compute_gradient(of, value.shape, total, [], value, 1e-2)
                np.testing.assert_allclose(exact, numeric, rtol=0.02, atol=0.03)


def test_half():
    with tf.Graph().as_default(), tf.Session() as session:
        results = []
        for dtype in (tf.float16, tf.float32):
            x = tf.constant(_X, dtype)
            y = _normalized(tf.raw_ops.FusedBatchNormV2, x, _SCALE, _OFFSET, True)
            first = tf.gradients(y, x, tf.constant(_DY, dtype))[0]
            results.append(tf.gradients(first * tf.constant(_DY, dtype), x)[0])
        assert results[0].dtype is tf.float16
        half, single = session.run(results)
        np.testing.assert_allclose(half.astype(np.float32), single, rtol=0.03, atol=0.03)


def test_on_the_tape():
    def second(x, scale):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = _normalized(tf.raw_ops.FusedBatchNormV3, x, scale, tf.constant(_OFFSET), True)
                loss = tf.reduce_sum(y * y * tf.constant(_DY))
            first = inner.gradient(loss, x)
        return outer.gradient(first, x)

    with tf.EagerSession():
        eager = second(tf.constant(_X), tf.constant(_SCALE)).numpy()
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(_X)
        y = _normalized(tf.raw_ops.FusedBatchNormV3, x, tf.constant(_SCALE), tf.constant(_OFFSET), True)
        first = tf.gradients(y * y * tf.constant(_DY), x)[0]
        graph = session.run(tf.gradients(first, x)[0])
    np.testing.assert_allclose(eager, graph, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("op", _OPS, ids=lambda op: op.__name__)
def test_empty_batches_have_gradients_of_zero(op, training):
    with tf.Graph().as_default(), tf.Session() as sess:
        x, scale, offset = tf.zeros([0, 2, 2, 2]), tf.constant(_SCALE), tf.constant(_OFFSET)
        y = _normalized(op, x, scale, offset, training)
        for got in sess.run(tf.gradients(y, [scale, offset])):
            np.testing.assert_array_equal(got, [0, 0])


@pytest.mark.parametrize("eager", [False, True])
def test_formats_of_volumes_take_volumes_only(eager):
    attrs = {"epsilon": 0.01, "data_format": "NDHWC"}
    given = {"scale": _SCALE, "reserve_space_1": _SCALE, "reserve_space_2": _SCALE, "reserve_space_3": _SCALE, **attrs}
    session = tf.EagerSession() if eager else tf.Session()
    with tf.Graph().as_default(), session as s, pytest.raises(tf.errors.InvalidArgumentError, match="5-dimensional"):
        x = tf.constant(_X) if eager else tf.placeholder_with_default(_X, None)
        made = tf.raw_ops.FusedBatchNormGradV3(y_backprop=x, x=x, **given)
        s.run(made)


@pytest.mark.parametrize("op", _OPS, ids=lambda op: op.__name__)
def test_statistics_given_to_a_training_step(op):
    def normalized(shape):
        none = tf.placeholder_with_default(np.zeros(shape, np.float32), None)
        return op(x=_X, scale=_SCALE, offset=_OFFSET, mean=none, variance=none, epsilon=0.01, is_training=True)[0]

    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(normalized([0])).shape == _X.shape
        for shape, text in (([1, 0], "must be 1-dimensional"), ([2], "must be empty for training")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"estimated_mean {text}"):
                sess.run(normalized(shape))


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("version", ["", "V2", "V3"])
def test_shapes_of_spare_outputs(version, training):
    """The static shapes of the reserved outputs equal TensorFlow 1.15.5's, which its graphs record."""
    more = {"reserve_space_3": [0.0]} if version == "V3" else {}
    scale, (mean, variance) = tf.constant(_SCALE), _STATISTICS
    outputs = getattr(tf.raw_ops, "FusedBatchNormGrad" + version)(
        y_backprop=_DY,
        x=_X,
        scale=scale,
        reserve_space_1=mean,
        reserve_space_2=variance,
        is_training=training,
        **more,
    )
    spare = [0] if training else [2]
    assert [output.shape.as_list() for output in outputs] == [[2, 2, 2, 2], [2], [2], spare, spare]
    with tf.Session() as session:
        values = session.run(list(outputs))
    assert [list(value.shape) for value in values[3:]] == [spare, spare]
    assert not np.any(values[3]) and not np.any(values[4])
