"""`tf.nn.convolution` and `tf.nn.pool` over one to three dimensions, in both data formats, with dilation."""

import itertools

import numpy as np
import pytest

import tinytf as tf


def _run(tensor, feeds=None):
    with tf.Session() as session:
        return session.run(tensor, feeds)


def _padded(x, window, rates, padding):
    """`x` [batch, *spatial, channels] with the zero padding of "SAME" for strides of 1."""
    if padding == "VALID":
        return x
    totals = [(w - 1) * r for w, r in zip(window, rates, strict=True)]
    return np.pad(x, [(0, 0), *[(t // 2, t - t // 2) for t in totals], (0, 0)])


def _windows(x, window, rates):
    """For each filter tap, the part of `x` that it reads."""
    sizes = [n - (w - 1) * r for n, w, r in zip(x.shape[1:-1], window, rates, strict=True)]
    for tap in itertools.product(*map(range, window)):
        starts = [t * r for t, r in zip(tap, rates, strict=True)]
        yield tap, x[(slice(None), *[slice(s, s + n) for s, n in zip(starts, sizes, strict=True)])]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize(
    ("rates", "channels_first"),
    [(r, False) for r in ([1], [2], [3], [1, 1], [2, 3], [1, 1, 1], [2, 1, 2])]
    + [(r, True) for r in ([1], [2], [1, 1], [2, 3])],
    ids=str,
)
def test_convolution(rates, padding, channels_first, known):
    random = np.random.RandomState(0)
    x = random.randn(2, *[7, 8, 6][: len(rates)], 3).astype(np.float32)
    window = [3, 2, 2][: len(rates)]
    filters = random.randn(*window, 3, 4).astype(np.float32)
    expected = sum(part @ filters[tap] for tap, part in _windows(_padded(x, window, rates, padding), window, rates))
    if channels_first:
        x, expected = np.moveaxis(x, -1, 1), np.moveaxis(expected, -1, 1)
    data_format = {1: "NCW", 2: "NCHW"}[len(rates)] if channels_first else None
    value = tf.constant(x) if known else tf.placeholder(tf.float32, [None] * x.ndim)
    result = tf.nn.convolution(value, filters, padding, dilation_rate=rates, data_format=data_format)
    got = _run(result, None if known else {value: x})
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)
    assert result.shape.is_compatible_with(expected.shape)
    assert result.shape.as_list()[1 if channels_first else -1] == 4


@pytest.mark.parametrize("kind", ["MAX", "AVG"])
@pytest.mark.parametrize("rates", [[1], [2], [1, 1], [2, 3], [1, 1, 1], [2, 1, 2]], ids=str)
def test_pool(rates, kind):
    x = np.random.RandomState(0).randn(2, *[7, 8, 6][: len(rates)], 3).astype(np.float32)
    window = [3, 2, 2][: len(rates)]
    parts = np.stack([part for _, part in _windows(x, window, rates)])
    expected = parts.max(0) if kind == "MAX" else parts.mean(0)
    got = _run(tf.nn.pool(x, window, kind, "VALID", dilation_rate=rates))
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


def test_pool_of_lines_with_channels_first():
    x = np.random.RandomState(0).randn(2, 3, 9).astype(np.float32)
    got = tf.nn.pool(x, [2], "MAX", "SAME", strides=[2], data_format="NCW")
    assert got.shape.as_list() == [2, 3, 5]
    assert got.op.inputs[0].op.get_attr("data_format") == b"NCHW"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"strides": [2]}, r"len\(strides\)=1 but should be 2"),
        ({"strides": [2, 0]}, "all values of strides must be positive"),
        ({"dilation_rate": [2]}, r"len\(dilation_rate\)=1 but should be 2"),
        ({"dilation_rate": [2, 0]}, "all values of dilation_rate must be positive"),
        (
            {"dilation_rate": [2, 1], "strides": [1, 2]},
            "strides > 1 not supported in conjunction with dilation_rate > 1",
        ),
    ],
)
def test_strides_and_rates_that_do_not_fit(arguments, text):
    with pytest.raises(ValueError, match=text):
        tf.nn.pool(tf.ones([1, 9, 9, 2]), [3, 3], "MAX", "VALID", **arguments)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"strides": [1, 1, 1]}, "strides should be of length 1, 2 or 4 but was 3"),
        ({"dilation_rate": [1, 2, 3]}, "dilations should be of length 1, 2 or 4 but was 3"),
        ({"dilation_rate": [2, 0]}, "all values of dilation_rate must be positive"),
        (
            {"dilation_rate": [2, 1], "strides": [1, 2]},
            "strides > 1 not supported in conjunction with dilation_rate > 1",
        ),
        ({"data_format": "NHCW"}, "Attr 'data_format' of 'Conv2D' Op passed string 'NHCW' not in: \"NHWC\", \"NCHW\"."),
        ({"data_format": "NHCW", "dilation_rate": 2}, 'data_format must be "NHWC" or "NCHW".'),
    ],
)
def test_arguments_of_convolution_that_do_not_fit(arguments, text):
    image, filters = tf.ones([1, 9, 9, 2]), tf.ones([3, 3, 2, 2])
    with pytest.raises(ValueError, match=text):
        tf.nn.convolution(image, filters, "SAME", **arguments)
    for more in ({"strides": [2]}, {"dilation_rate": [2]}):  # one number applies to all dimensions
        assert tf.nn.convolution(image, filters, "SAME", **more).shape.as_list()[0] == 1


def test_errors_of_convolution():
    with pytest.raises(ValueError, match="rank of input or filter must be known"):
        tf.nn.convolution(tf.placeholder(tf.float32), tf.placeholder(tf.float32), "SAME")
    with pytest.raises(ValueError, match="input tensor must have rank 3"):
        tf.nn.convolution(tf.ones([1, 9, 9, 2]), tf.ones([3, 2, 2]), "SAME", dilation_rate=2)
    with pytest.raises(ValueError, match="number of input channels does not match .* 2 != 3"):
        tf.nn.convolution(tf.ones([1, 9, 9, 2]), tf.ones([3, 3, 3, 2]), "SAME", dilation_rate=[2, 2])


def test_errors_of_pool():
    image = tf.ones([1, 5, 5, 2])
    with pytest.raises(ValueError, match="2-D FOO pooling is not supported"):
        tf.nn.pool(image, [2, 2], "FOO", "VALID")
    with pytest.raises(ValueError, match="pooling with SAME padding is not implemented for dilation_rate > 1"):
        tf.nn.pool(image, [2, 2], "MAX", "SAME", dilation_rate=[2, 2])
    with pytest.raises(ValueError, match="strides > window_shape not supported"):
        tf.nn.pool(image, [2, 2], "MAX", "SAME", strides=[3, 3])
    with pytest.raises(ValueError, match="1 <= num_spatial_dims <= 3"):
        tf.nn.pool(image, [], "MAX", "SAME")
    with pytest.raises(ValueError, match='data_format must be either "NWC" or "NCW"'):
        tf.nn.pool(tf.ones([1, 5, 2]), [2], "MAX", "SAME", data_format="NHWC")


@pytest.mark.parametrize("size", [2, [2, 2, 2], [1, 2, 2, 2, 1]], ids=str)
def test_pooling_of_volumes(size):
    x = np.random.RandomState(0).randn(1, 4, 6, 8, 2).astype(np.float32)
    blocks = x.reshape(1, 2, 2, 3, 2, 4, 2, 2)
    np.testing.assert_array_equal(_run(tf.nn.max_pool3d(x, size, size, "VALID")), blocks.max((2, 4, 6)))
    np.testing.assert_allclose(_run(tf.nn.avg_pool3d(x, size, size, "VALID")), blocks.mean((2, 4, 6)), rtol=1e-5)
    with pytest.raises(ValueError, match="ksize should be of length 1, 3 or 5 but was 2"):
        tf.nn.max_pool3d(x, [2, 2], 1, "VALID")
