"""Convolutions between space-to-batch and back, which is how dilation rates work: depthwise, separable, atrous."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.constant_value import constant_value
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import as_shape
from tinytf.ops.arguments import renamed
from tinytf.ops.array.filling import zeros
from tinytf.ops.array.joining import concat, stack
from tinytf.ops.array.shape_ops import expand_dims, shape, squeeze
from tinytf.ops.nn.convolution import conv1d, conv2d, spatial_sequence
from tinytf.ops.nn.pooling import avg_pool, avg_pool3d, max_pool, max_pool3d


@tf_export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Paddings [n, 2] that make spatial dimensions multiples of blocks, and the crops [n, 2] that undo what they add.

    `base_paddings` [n, 2] are wanted in any case. ValueError if the number of dimensions is not known.
    """
    with name_scope(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        input_shape = convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
        block_shape = convert_to_tensor(block_shape, dtype=dtypes.int32, name="block_shape")
        block_shape.shape.assert_is_fully_defined()
        block_shape.shape.assert_has_rank(1)
        count = block_shape.shape.as_list()[0]
        if count == 0:
            return zeros([0, 2], dtypes.int32), zeros([0, 2], dtypes.int32)
        input_shape.shape.assert_is_compatible_with([count])
        if base_paddings is not None:
            base_paddings = convert_to_tensor(base_paddings, dtype=dtypes.int32, name="base_paddings")
            base_paddings.shape.assert_is_compatible_with([count, 2])
        else:
            base_paddings = zeros([count, 2], dtypes.int32)
        known = [constant_value(t) for t in (block_shape, input_shape, base_paddings)]
        if all(value is not None for value in known):
            block_shape, input_shape, base_paddings = known
        starts, ends = base_paddings[:, 0], base_paddings[:, 1]
        padded = input_shape + starts + ends
        extra = (block_shape - padded % block_shape) % block_shape
        ends = ends + extra
        paddings = stack([[starts[i], ends[i]] for i in range(count)], name="paddings")
        crops = stack([[0, extra[i]] for i in range(count)], name="crops")
        return paddings, crops


def _steps_and_rates(count: int, strides: Any, rates: Any) -> tuple[list[int], list[int]]:
    """Strides and dilation rates, one for each of `count` spatial dimensions. ValueError for those that do not fit."""
    values = []
    for name, given in (("dilation_rate", rates), ("strides", strides)):
        value = [1] * count if given is None else [int(n) for n in given]
        if len(value) != count:
            raise ValueError(f"len({name})={len(value)} but should be {count}")
        if any(n < 1 for n in value):
            raise ValueError(f"all values of {name} must be positive")
        values.append(value)
    rates, steps = values
    if any(n > 1 for n in steps) and any(n > 1 for n in rates):
        raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
    return steps, rates


def _spatial_dims(count: int, data_format: str | None) -> list[int]:
    first = 2 if data_format is not None and data_format.startswith("NC") else 1
    return list(range(first, first + count))


def _base_paddings(filter_shape: Any, rates: np.ndarray) -> Any:
    """What "SAME" adds before and after each spatial dimension for a filter that sees every `rates[i]`-th pixel."""
    extents = filter_shape[: len(rates)]
    total = extents + (extents - 1) * (rates - 1) - 1
    starts = total // 2
    ends = total - starts
    return stack([[starts[i], ends[i]] for i in range(len(rates))])


def _with_channels(values: Any, fill: int, spatial_dims: list[int]) -> Any:
    """Rows for the dimensions 1 to the last spatial one, of which `values` has the spatial ones."""
    known = constant_value(values)
    parts = [(values if known is None else known)[0 : len(spatial_dims)]]
    if spatial_dims[0] > 1:
        parts.insert(0, np.full([spatial_dims[0] - 1, *parts[0].shape[1:]], fill, np.int32))
    return concat(parts, 0) if known is None else np.concatenate(parts)


def _with_space_to_batch(
    input: Tensor,
    filter_shape: Any,
    rates: list[int],
    padding: str,
    spatial_dims: list[int],
    op: Callable[[Tensor, str], Tensor],
    filter: Any = None,
) -> Tensor:
    """`op(input, padding)` as if the filter saw every `rates[i]`-th pixel. ValueError for a bad padding.

    `filter_shape` is a list, a TensorShape that is known, or the shape of `filter` as a tensor, which need not be.
    """
    input_shape = as_shape(input.shape)
    rate = convert_to_tensor(rates, dtypes.int32, name="dilation_rate")
    if all(r == 1 for r in rates):
        return op(input, padding)
    if padding == "SAME":
        known = constant_value(convert_to_tensor(filter_shape, name="filter_shape"))
        base: Any = None if known is None else _base_paddings(known, np.array(rates, np.int32))
    elif padding == "VALID":
        base = np.zeros([len(rates), 2], np.int32)
    else:
        raise ValueError(f"Invalid padding method {padding!r}")
    sizes: Any = None if input_shape.ndims is None else [input_shape.as_list()[i] for i in spatial_dims]
    if sizes is None or None in sizes:
        extents = shape(input)
        sizes = stack([extents[i] for i in spatial_dims])
    if base is None:
        base = _base_paddings(shape(filter), np.array(rates, np.int32))
    paddings, crops = required_space_to_batch_paddings(sizes, rate, base)
    block = _with_channels(np.array(rates, np.int32), 1, spatial_dims)
    paddings = _with_channels(paddings, 0, spatial_dims)
    crops = _with_channels(crops, 0, spatial_dims)
    blocks = op(gen_ops.space_to_batch_nd(input, block, paddings), "VALID")
    return gen_ops.batch_to_space_nd(blocks, block, crops)


def _pair(rate: Any) -> Any:
    return rate if rate is None or hasattr(rate, "__len__") else [rate] * 2


@tf_export("nn.depthwise_conv2d")
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

    `rate` (also `dilations`) are two ints; other than 1 they need strides of 1 and NHWC, else ValueError.
    """
    rate = renamed("dilations", dilations, "rate", rate)
    with name_scope(name, "depthwise", [input, filter]) as scope:
        input = convert_to_tensor(input, name="tensor_in")
        filter = convert_to_tensor(filter, name="filter_in")
        return _depthwise(input, filter, strides, padding, rate, data_format, scope)


def _depthwise(
    input: Tensor, filter: Tensor, strides: Any, padding: str, rate: Any, data_format: str | None, name: str
) -> Tensor:
    def op(tensor: Tensor, method: str) -> Tensor:
        return gen_ops.depthwise_conv2d_native(
            tensor, filter, strides=strides, padding=method, data_format=data_format or "NHWC", name=name
        )

    spatial_dims = _spatial_dims(2, data_format)
    _, rates = _steps_and_rates(2, None, _pair(rate))
    return _with_space_to_batch(input, shape(filter), rates, padding, spatial_dims, op, filter)


@tf_export("nn.separable_conv2d")
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
        point[0].assert_is_compatible_with(1)
        point[1].assert_is_compatible_with(1)
        depthwise = _depthwise(input, depthwise_filter, strides, padding, rate, data_format, "depthwise")
        return conv2d(depthwise, pointwise_filter, [1, 1, 1, 1], "VALID", data_format=data_format or "NHWC", name=scope)


@tf_export("nn.convolution")
@called_by_users
def convolution(
    input: Any,
    filter: Any = None,
    padding: Any = None,
    strides: Any = None,
    dilation_rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """A convolution over one to three dimensions, which alone `strides` and `dilation_rate` name.

    `input` is [batch, *spatial, in] (or [batch, in, *spatial] where `data_format` begins with "NC"), `filter`
    [*spatial, in, out]. `filters` and `dilations` are new names. ValueError for shapes that do not fit, and for strides
    together with a dilation.
    """
    filter = renamed("filters", filters, "filter", filter)
    rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    # What has a shape is converted by the operation that takes it, as in TensorFlow.
    input = input if hasattr(input, "shape") else convert_to_tensor(input)
    filter = filter if hasattr(filter, "shape") else convert_to_tensor(filter)
    input_shape, filter_shape = as_shape(input.shape), as_shape(filter.shape)
    ndims = input_shape.ndims if input_shape.ndims is not None else filter_shape.ndims
    if ndims is None:
        raise ValueError("rank of input or filter must be known")
    if not 3 <= ndims <= 5:
        raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {ndims}.")
    channel_index = 1 if data_format is not None and data_format.startswith("NC") else ndims - 1
    strides = spatial_sequence(strides, channel_index, "strides", ndims - 2)
    rate = spatial_sequence(rate, channel_index, "dilations", ndims - 2)
    with name_scope(name, "convolution", [input, filter]) as scope:
        if all(r == 1 for r in rate):
            return _plain_convolution(input, filter, ndims, strides, padding, data_format, scope)
        for what, shape in (("input", input_shape), ("filter", filter_shape)):
            if shape.ndims not in (None, filter_shape.ndims or ndims):
                raise ValueError(f"{what} tensor must have rank {filter_shape.ndims}")
        if input_shape.dims is not None and filter_shape.dims is not None:
            given, wanted = input_shape.dims[channel_index], filter_shape.dims[-2]
            if not given.is_compatible_with(wanted):
                raise ValueError(
                    f"number of input channels does not match corresponding dimension of filter, {given} != {wanted}"
                )
        spatial = slice(2, None) if channel_index == 1 else slice(1, -1)
        steps, rates = _steps_and_rates(ndims - 2, strides[spatial], rate[spatial])
        _check_format(ndims, data_format)
        strides = [1, 1, *steps] if channel_index == 1 else [1, *steps, 1]

        def op(tensor: Tensor, method: str) -> Tensor:
            return _plain_convolution(tensor, filter, ndims, strides, method, data_format, scope)

        spatial_dims = _spatial_dims(ndims - 2, data_format)
        result = _with_space_to_batch(input, filter_shape, rates, padding, spatial_dims, op)
        if channel_index == 1 and result.shape.ndims is not None and filter_shape.ndims is not None:
            known = [None, filter_shape.as_list()[-1], *[None] * len(spatial_dims)]
            result.set_shape(result.shape.merge_with(known))
        return result


_FORMATS = {
    3: ("NWC", "NCW", "NHWC", "NCHW"),
    4: ("NHWC", "NCHW"),
    5: ("NDHWC", "NCDHW"),
}
_WRONG_FORMAT = {
    3: 'data_format must be "NWC" or "NCW".',
    4: 'data_format must be "NHWC" or "NCHW".',
    5: 'data_format must be "NDHWC" or "NCDHW". Have: ',
}


def _check_format(ndims: int, data_format: str | None) -> None:
    if data_format is not None and data_format not in _FORMATS[ndims]:
        raise ValueError(_WRONG_FORMAT[ndims] + (data_format if ndims == 5 else ""))


def _plain_convolution(
    input: Any, filter: Any, ndims: int, strides: Any, padding: str, data_format: str | None, name: str
) -> Tensor:
    """Without dilation, of tensors of `ndims` dimensions."""
    function: Any = {3: conv1d, 4: gen_ops.conv2d, 5: gen_ops.conv3d}[ndims]
    return function(input, filter, strides, padding, data_format=data_format, name=name)


@tf_export("nn.atrous_conv2d")
@called_by_users
def atrous_conv2d(value: Any, filters: Any, rate: int, padding: str, name: str | None = None) -> Tensor:
    """`convolution` with a dilation rate: `filters` sees every `rate`-th pixel."""
    return convolution(value, filters, padding, dilation_rate=np.broadcast_to(rate, (2,)), name=name)


@tf_export("nn.pool")
def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    padding: str,
    dilation_rate: Any = None,
    strides: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """The "MAX" or "AVG" of windows over one to three dimensions, which alone the arguments name.

    `input` is as for `convolution`; `dilations` is the new name of `dilation_rate`. ValueError for other types, strides
    beyond the window, strides together with a dilation, and "SAME" together with a dilation.
    """
    rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, f"{pooling_type.lower()}_pool", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if not 1 <= len(window_shape) <= 3:
            raise ValueError("It is required that 1 <= num_spatial_dims <= 3.")
        window = [int(n) for n in window_shape]
        input.shape.with_rank(len(window) + 2)
        steps, rates = _steps_and_rates(len(window), strides, rate)
        if padding == "SAME" and any(r > 1 for r in rates):
            raise ValueError("pooling with SAME padding is not implemented for dilation_rate > 1")
        if any(step > size for step, size in zip(steps, window, strict=True)):
            raise ValueError(
                "strides > window_shape not supported due to inconsistency between CPU and GPU implementations"
            )
        if pooling_type not in ("MAX", "AVG"):
            raise ValueError(f"{len(window)}-D {pooling_type} pooling is not supported.")
        spatial_dims = _spatial_dims(len(window), data_format)

        def op(tensor: Tensor, method: str) -> Tensor:
            return _plain_pool(tensor, pooling_type, window, steps, method, data_format, scope)

        return _with_space_to_batch(input, window, rates, padding, spatial_dims, op)


def _plain_pool(
    input: Tensor,
    pooling_type: str,
    window: list[int],
    steps: list[int],
    padding: str,
    data_format: str | None,
    name: str,
) -> Tensor:
    """Without dilation. A line is pooled as an image of height 1. ValueError for another format of lines."""
    channels_first = data_format is not None and data_format.startswith("NC")
    sizes, strides = ([1, 1, *n] if channels_first else [1, *n, 1] for n in (window, steps))
    if len(window) == 3:
        pool_volumes = max_pool3d if pooling_type == "MAX" else avg_pool3d
        return pool_volumes(input, sizes, strides, padding, data_format or "NDHWC", name=name)
    pool_images = max_pool if pooling_type == "MAX" else avg_pool
    if len(window) == 2:
        return pool_images(input, sizes, strides, padding, data_format or "NHWC", name=name)
    if data_format not in (None, "NWC", "NCW"):
        raise ValueError('data_format must be either "NWC" or "NCW".')
    line = 2 if channels_first else 1
    image_format = "NCHW" if channels_first else "NHWC"
    result = pool_images(expand_dims(input, line), [1, *sizes], [1, *strides], padding, image_format, name=name)
    return squeeze(result, [line])
