"""Convolution and pooling windows with overflowing sizes are errors, in graphs and in eager execution."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.errors import errors

_HUGE = (2**31, 2**32, 2**62, 2**63 - 1)
_R = tf.raw_ops
_X = np.ones([1, 4, 3, 1], np.float32)
_FILTER = np.ones([2, 1, 1, 1], np.float32)


def _conv(x=_X, f=_FILTER, stride=1, dilation=1, padding="SAME"):
    return _R.Conv2D(input=x, filter=f, strides=[1, stride, 1, 1], dilations=[1, dilation, 1, 1], padding=padding)


def _pool(op, stride=1, size=1, padding="SAME", x=_X):
    return op(
        **{op is _R.AvgPool and "value" or "input": x},
        ksize=[1, size, 1, 1],
        strides=[1, stride, 1, 1],
        padding=padding,
    )


_CALLS = {
    "strides": [
        lambda n: _conv(stride=n),
        lambda n: _conv(stride=n, padding="VALID"),
        lambda n: _pool(_R.MaxPool, stride=n),
        lambda n: _pool(_R.AvgPool, stride=n),
        lambda n: _R.Conv3D(input=_X[..., None], filter=_FILTER[..., None], strides=[1, n, 1, 1, 1], padding="SAME"),
        lambda n: _R.DepthwiseConv2dNative(input=_X, filter=_FILTER, strides=[1, n, n, 1], padding="SAME"),
        lambda n: _R.Conv2DBackpropInput(
            input_sizes=[1, 4, 3, 1], filter=_FILTER, out_backprop=_X, strides=[1, n, 1, 1], padding="SAME"
        ),
    ],
    "dilations": [lambda n: _conv(dilation=n), lambda n: _conv(dilation=n, padding="VALID")],
    "ksize": [lambda n: _pool(_R.MaxPool, size=n), lambda n: _pool(_R.AvgPool, size=n)],
}


@pytest.fixture(params=["graph", "eager"])
def value(request):
    """A function that evaluates the tensor that `make()` returns."""
    if request.param == "graph":
        with tf.Graph().as_default(), tf.Session() as session:
            yield lambda make: session.run(make())
    else:
        with tf.EagerSession():
            yield lambda make: make().numpy()


@pytest.mark.parametrize(("attr", "call"), [(attr, call) for attr, calls in _CALLS.items() for call in calls])
def test_attrs_out_of_int32(value, attr, call):
    for size in _HUGE:
        with pytest.raises(
            (ValueError, errors.InvalidArgumentError), match=f"Attr {attr} has value {size} out of range"
        ):
            value(lambda size=size: call(size))


def test_the_largest_attrs(value):
    most = 2**31 - 1
    np.testing.assert_array_equal(value(lambda: _conv(stride=most)), np.full([1, 1, 3, 1], 2))
    np.testing.assert_array_equal(value(lambda: _conv(stride=most, padding="VALID")), np.full([1, 1, 3, 1], 2))
    np.testing.assert_array_equal(value(lambda: _conv(dilation=most)), np.zeros([1, 4, 3, 1]))
    for op in (_R.MaxPool, _R.AvgPool):
        np.testing.assert_array_equal(value(lambda op=op: _pool(op, size=most)), _X)
        np.testing.assert_array_equal(value(lambda op=op: _pool(op, stride=most)), _X[:, :1])


def test_far_taps_of_many(value):
    far = np.ones([5, 1, 1, 1], np.float32)
    np.testing.assert_array_equal(value(lambda: _conv(f=far, dilation=2**31 - 1)), _X)


def test_filters_of_no_width(value):
    for padding, rows in (("VALID", 5), ("SAME", 4)):
        for channels in (1, 3):
            none = np.ones([0, 1, 1, channels], np.float32)
            result = value(lambda padding=padding, none=none: _conv(f=none, padding=padding))
            np.testing.assert_array_equal(result, np.zeros([1, rows, 3, channels]))
    with tf.Graph().as_default():
        assert _conv(f=np.ones([0, 1, 1, 1], np.float32), padding="VALID").shape.as_list() == [1, 5, 3, 1]


def test_a_window_larger_than_the_image():
    far = np.ones([6, 1, 1, 1], np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(ValueError, match="Negative dimension size caused by subtracting 6 from 4"):
            _conv(f=far, padding="VALID")
        fed = tf.placeholder(tf.float32)
        with pytest.raises(errors.InvalidArgumentError, match="Computed output size would be negative: -1"):
            session.run(_conv(x=fed, f=far, padding="VALID"), {fed: _X})
    with tf.EagerSession(), pytest.raises(errors.InvalidArgumentError, match="Computed output size would be negative"):
        _conv(f=far, padding="VALID")


def test_depthwise_channels_that_are_no_number():
    with tf.Graph().as_default():
        x, f = (tf.placeholder(tf.float32, shape) for shape in ([1, 0, 0, 2**40], [0, 0, 2**40, 2**40]))
        with pytest.raises(ValueError, match="Too many output channels"):
            _R.DepthwiseConv2dNative(input=x, filter=f, strides=[1, 1, 1, 1], padding="SAME")


def test_gradients_of_empty_images(value):
    empty = np.ones([0, 4, 3, 1], np.float32)
    result = value(
        lambda: _R.Conv2DBackpropFilter(
            input=empty, filter_sizes=[2, 1, 1, 1], out_backprop=empty, strides=[1, 1, 1, 1], padding="SAME"
        )
    )
    np.testing.assert_array_equal(result, np.zeros([2, 1, 1, 1]))
