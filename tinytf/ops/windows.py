"""Convolutions and pooling: `strides`, `padding` and `data_format` in TensorFlow 1's forms."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.arguments import renamed
from tinytf.ops.shape_ops import shape

__all__ = [
    "atrous_conv2d",
    "avg_pool",
    "avg_pool2d",
    "conv1d",
    "conv2d",
    "conv2d_backprop_filter",
    "conv2d_backprop_input",
    "conv2d_transpose",
    "depthwise_conv2d",
    "max_pool",
    "max_pool2d",
    "separable_conv2d",
]

_LIST_ONLY = (
    '"EXPLICIT" is not a valid value for the padding parameter. To use explicit padding, the padding parameter must be '
    "a list."
)


def _channel_index(data_format: str) -> int:
    return 1 if data_format.startswith("NC") else 3


def _sequence(value: Any, channel_index: int, name: str) -> list[int]:
    """A spatial argument as four ints: given as one, two or four. ValueError for other lengths."""
    if value is None:
        value = [1]
    elif not hasattr(value, "__len__"):
        value = [value]
    value = list(value)
    if len(value) == 4:
        return value
    if len(value) == 1:
        value = value * 2
    elif len(value) != 2:
        raise ValueError(f"{name} should be of length 1, 2 or 4 but was {len(value)}")
    return [1, 1, *value] if channel_index == 1 else [1, *value, 1]


def _padding(padding: Any) -> tuple[Any, list[int]]:
    """The `padding` attr and the flat explicit paddings: a name, or a list of four pairs."""
    if isinstance(padding, str):
        if padding == "EXPLICIT":
            raise ValueError(_LIST_ONLY)
        return padding, []
    if not isinstance(padding, (list, tuple)):
        return padding, []
    for i, pair in enumerate(padding):
        if not isinstance(pair, (list, tuple)):
            raise ValueError(
                "When padding is a list, each element of padding must be a list/tuple of size 2. Element with index "
                f"{i} of padding is not a list/tuple"
            )
        if len(pair) != 2:
            raise ValueError(
                "When padding is a list, each element of padding must be a list/tuple of size 2. Element with index "
                f"{i} of padding has size {len(pair)}"
            )
    if len(padding) != 4:
        raise ValueError(f"When padding is a list, it must be of size 4. Got padding of size: {len(padding)}")
    return "EXPLICIT", [int(n) for pair in padding for n in pair]


def conv2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """The 2-D convolution of images [batch, height, width, in] (or NCHW) with `filter` [height, width, in, out].

    `strides` and `dilations` are an int, two or four ints; `padding` is "SAME", "VALID" or a list of four (before,
    after) pairs. `filters` is the new name of `filter`. ValueError for shapes that do not fit.
    """
    filter = renamed("filters", filters, "filter", filter)
    padding, explicit = _padding(padding)
    data_format = data_format or "NHWC"
    channel_index = _channel_index(data_format)
    return gen_ops.conv2d(
        input,
        filter,
        strides=_sequence(strides, channel_index, "strides"),
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=_sequence(dilations, channel_index, "dilations"),
        name=name,
    )


def conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `conv2d` with respect to its filter of shape `filter_sizes`."""
    padding, explicit = _padding(padding)
    return gen_ops.conv2d_backprop_filter(
        input,
        filter_sizes,
        out_backprop,
        strides=list(strides),
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=list(dilations),
        name=name,
    )


def conv2d_backprop_input(
    input_sizes: Any,
    filter: Any = None,
    out_backprop: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """The gradient of `conv2d` with respect to its input of shape `input_sizes`."""
    filter = renamed("filters", filters, "filter", filter)
    padding, explicit = _padding(padding)
    return gen_ops.conv2d_backprop_input(
        input_sizes,
        filter,
        out_backprop,
        strides=list(strides),
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=list(dilations),
        name=name,
    )


def conv2d_transpose(
    value: Any = None,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The transposed convolution (the gradient of `conv2d`): `filter` is [height, width, out, in].

    `output_shape` is a vector of four ints. Other arguments as for `conv2d`; `input` and `filters` are new names.
    """
    value = renamed("input", input, "value", value)
    filter = renamed("filters", filters, "filter", filter)
    with name_scope(name, "conv2d_transpose", [value, filter, output_shape]) as scope:
        padding, explicit = _padding(padding)
        data_format = data_format or "NHWC"
        channel_index = _channel_index(data_format)
        return gen_ops.conv2d_backprop_input(
            output_shape,
            filter,
            value,
            strides=_sequence(strides, channel_index, "strides"),
            padding=padding,
            explicit_paddings=explicit,
            data_format=data_format,
            dilations=_sequence(dilations, channel_index, "dilations"),
            name=scope,
        )


def conv1d(
    value: Any = None,
    filters: Any = None,
    stride: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool | None = None,
    data_format: str | None = None,
    name: str | None = None,
    input: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The 1-D convolution of [batch, width, in] (or [batch, in, width] with "NCW") with filters [width, in, out].

    Built as a 2-D convolution of height 1. ValueError for other data formats.
    """
    value = renamed("input", input, "value", value)
    with name_scope(name, "conv1d", [value, filters]) as scope:
        if data_format in (None, "NHWC", "NWC"):
            data_format, spatial_start, channel = "NHWC", 1, 2
        elif data_format in ("NCHW", "NCW"):
            data_format, spatial_start, channel = "NCHW", 2, 1
        else:
            raise ValueError('data_format must be "NWC" or "NCW".')
        strides = _line(stride, channel, "stride")
        steps = _line(dilations, channel, "dilations")
        value = gen_ops.expand_dims(value, spatial_start)
        filters = gen_ops.expand_dims(filters, 0)
        result = gen_ops.conv2d(
            value,
            filters,
            strides=[1, *strides] if channel == 2 else [*strides[:2], 1, *strides[2:]],
            padding=padding,
            use_cudnn_on_gpu=use_cudnn_on_gpu if use_cudnn_on_gpu is not None else True,
            data_format=data_format,
            dilations=[1, *steps] if channel == 2 else [*steps[:2], 1, *steps[2:]],
            name=scope,
        )
        return gen_ops.squeeze(result, [spatial_start])


def _line(value: Any, channel_index: int, name: str) -> list[int]:
    if value is None:
        value = [1]
    value = list(value) if hasattr(value, "__len__") else [value]
    if len(value) == 3:
        return value
    if len(value) != 1:
        raise ValueError(f"{name} should be of length 1 or 3 but was {len(value)}")
    return [1, 1, *value] if channel_index == 1 else [1, *value, 1]


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: str,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """Convolves each channel with its own filters: `filter` is [height, width, in, multiplier], out in * multiplier.

    `rate` (also `dilations`) are two ints; other than 1 they need strides of 1.
    """
    rate = renamed("dilations", dilations, "rate", rate)
    with name_scope(name, "depthwise", [input, filter]) as scope:
        input = convert_to_tensor(input, name="tensor_in")
        filter = convert_to_tensor(filter, name="filter_in")
        return _dilated_depthwise(input, filter, strides, padding, rate, data_format, scope)


def _dilated_depthwise(
    input: Tensor, filter: Tensor, strides: Any, padding: str, rate: Any, data_format: str | None, name: str
) -> Tensor:
    """A depthwise convolution between space-to-batch and back where there is a dilation rate."""
    rates = [1, 1] if rate is None else [int(r) for r in (rate if hasattr(rate, "__len__") else [rate] * 2)]
    shape(filter)  # These two are of no use but for the count of nodes, on which seeds depend.
    convert_to_tensor(rates, dtypes.int32, name="dilation_rate")
    form = data_format or "NHWC"
    if rates == [1, 1]:
        return gen_ops.depthwise_conv2d_native(
            input, filter, strides=list(strides), padding=padding, data_format=form, name=name
        )
    if form != "NHWC":
        raise ValueError(f"Dilation rates other than 1 need data_format NHWC, got {form}")
    if list(strides) != [1, 1, 1, 1]:
        raise ValueError(f"strides > 1 not supported in conjunction with dilation_rate > 1: {list(strides)}, {rates}")
    extents: list[Any] = filter.shape.as_list()[:2]
    if padding == "SAME":
        total = [(extent - 1) * r for extent, r in zip(extents, rates, strict=True)]
        base = np.array([[t // 2, t - t // 2] for t in total], np.int32)
    elif padding == "VALID":
        base = np.zeros((2, 2), np.int32)
    else:
        raise ValueError(f"Invalid padding method {padding!r}")
    paddings, crops = _batch_paddings(shape(input)[1:3], base, rates, input)
    block = np.array(rates, np.int32)
    inner = gen_ops.space_to_batch_nd(input, block, paddings)
    result = gen_ops.depthwise_conv2d_native(inner, filter, strides=[1, 1, 1, 1], padding="VALID", name=name)
    return gen_ops.batch_to_space_nd(result, block, crops)


def _batch_paddings(spatial: Tensor, base: np.ndarray, rates: list[int], input: Tensor) -> tuple[Any, Any]:
    """Paddings that make the spatial dimensions multiples of the rates, and the crops that undo it."""
    known = input.shape.dims
    if known is not None and all(d.value is not None for d in known[1:3]):
        extents = np.array([d.value for d in known[1:3]])
        extra = -(extents + base.sum(axis=1)) % rates
        paddings = base.copy()
        paddings[:, 1] += extra
        return paddings, np.stack([np.zeros_like(extra), extra], 1).astype(np.int32)
    padded = spatial + base.sum(axis=1).astype(np.int32)
    extra_tensor = gen_ops.floor_mod(gen_ops.neg(padded), constant(rates, dtypes.int32))
    ends = extra_tensor + base[:, 1]
    starts = constant(base[:, 0], dtypes.int32)
    zeros = constant([0, 0], dtypes.int32)
    return gen_ops.pack([starts, ends], axis=1), gen_ops.pack([zeros, extra_tensor], axis=1)


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: str,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """`depthwise_conv2d`, then a convolution with `pointwise_filter` [1, 1, in * multiplier, out]."""
    rate = renamed("dilations", dilations, "rate", rate)
    with name_scope(name, "separable_conv2d", [input, depthwise_filter, pointwise_filter]) as scope:
        input = convert_to_tensor(input, name="tensor_in")
        depthwise_filter = convert_to_tensor(depthwise_filter, name="depthwise_filter")
        pointwise_filter = convert_to_tensor(pointwise_filter, name="pointwise_filter")
        point = pointwise_filter.shape.with_rank(4)
        point.dims[0].assert_is_compatible_with(1)
        point.dims[1].assert_is_compatible_with(1)
        depthwise = _dilated_depthwise(input, depthwise_filter, strides, padding, rate, data_format, "depthwise")
        return conv2d(depthwise, pointwise_filter, [1, 1, 1, 1], "VALID", data_format=data_format or "NHWC", name=scope)


def atrous_conv2d(value: Any, filters: Any, rate: int, padding: str, name: str | None = None) -> Tensor:
    """`conv2d` with holes: `filters` sees every `rate`-th pixel."""
    return conv2d(value, filters, [1, 1, 1, 1], padding, dilations=[1, rate, rate, 1], name=name)


def _pool(
    function: Any,
    default_name: str,
    value: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str,
    name: str | None,
) -> Tensor:
    with name_scope(name, default_name, [value]) as scope:
        data_format = data_format or "NHWC"
        value = convert_to_tensor(value, name="input")
        channel_index = _channel_index(data_format)
        sizes = _sequence(ksize, channel_index, "ksize")
        if any(size == 0 for size in sizes):
            raise ValueError("ksize cannot be zero.")
        steps = _sequence(strides, channel_index, "strides")
        return function(value, ksize=sizes, strides=steps, padding=padding, data_format=data_format, name=scope)


def max_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Tensor:
    """The largest value in each window of images [batch, height, width, channels] (or NCHW).

    `ksize` and `strides` are an int, two or four ints; `padding` is "SAME" or "VALID". ValueError for a size of 0.
    """
    value = renamed("input", input, "value", value)
    return _pool(gen_ops.max_pool, "MaxPool", value, ksize, strides, padding, data_format, name)


def avg_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Tensor:
    """The mean of each window of images, without the padding; arguments as for `max_pool`."""
    value = renamed("input", input, "value", value)
    return _pool(gen_ops.avg_pool, "AvgPool", value, ksize, strides, padding, data_format, name)


def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """The same as `max_pool`."""
    return _pool(gen_ops.max_pool, "MaxPool2d", input, ksize, strides, padding, data_format, name)


def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """The same as `avg_pool`."""
    return _pool(gen_ops.avg_pool, "AvgPool2D", input, ksize, strides, padding, data_format, name)
