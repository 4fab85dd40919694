"""Convolutions between space-to-batch and back, which is how dilation rates work: depthwise, separable, atrous."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf.framework import dtypes
from tinytf.framework.constant_value import constant_value
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.arguments import renamed
from tinytf.ops.convolution import channel_index_of, conv2d
from tinytf.ops.filling import zeros
from tinytf.ops.joining import stack
from tinytf.ops.pooling import avg_pool, max_pool
from tinytf.ops.shape_ops import shape

__all__ = [
    "atrous_conv2d",
    "convolution",
    "depthwise_conv2d",
    "pool",
    "required_space_to_batch_paddings",
    "separable_conv2d",
]


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


def _with_space_to_batch(
    input: Tensor,
    filter_shape: Any,
    rates: list[int],
    padding: str,
    spatial: slice,
    op: Callable[[Tensor, str], Tensor],
) -> Tensor:
    """`op(input, padding)` as if the filter saw every `rates[i]`-th pixel. ValueError for a bad padding."""
    rate = convert_to_tensor(rates, dtypes.int32, name="dilation_rate")
    if all(r == 1 for r in rates):
        return op(input, padding)
    if padding == "SAME":
        extents = convert_to_tensor(filter_shape, name="filter_shape")
        known = constant_value(extents)
        sizes = (extents if known is None else known)[: len(rates)]
        total = (sizes - 1) * np.array(rates, np.int32)
        starts = total // 2
        ends = total - starts
        base: Any = stack([[starts[i], ends[i]] for i in range(len(rates))])
    elif padding == "VALID":
        base = np.zeros([len(rates), 2], np.int32)
    else:
        raise ValueError(f"Invalid padding method {padding!r}")
    extents = input.shape[spatial]
    sizes = extents if extents.is_fully_defined() else shape(input)[spatial]
    paddings, crops = required_space_to_batch_paddings(sizes, rate, base)
    block = np.array(rates, np.int32)
    known_paddings, known_crops = constant_value(paddings), constant_value(crops)
    paddings = paddings if known_paddings is None else known_paddings
    crops = crops if known_crops is None else known_crops
    result = op(gen_ops.space_to_batch_nd(input, block, paddings), "VALID")
    return gen_ops.batch_to_space_nd(result, block, crops)


def _spatial(data_format: str | None) -> slice:
    """Where the two spatial dimensions are. ValueError where blocks cannot be made of them."""
    return slice(2, 4) if channel_index_of(data_format or "NHWC") == 1 else slice(1, 3)


def _checked_rates(rate: Any, strides: Any, data_format: str | None) -> list[int]:
    rates = [1, 1] if rate is None else [int(r) for r in (rate if hasattr(rate, "__len__") else [rate] * 2)]
    if rates != [1, 1]:
        if data_format is not None and data_format.startswith("NC"):
            raise ValueError(f"Dilation rates other than 1 need data_format NHWC, got {data_format}")
        if any(s != 1 for s in strides):
            raise ValueError(f"strides > 1 not supported in conjunction with dilation_rate > 1: {strides}, {rates}")
    return rates


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
            tensor, filter, strides=list(strides), padding=method, data_format=data_format or "NHWC", name=name
        )

    rates = _checked_rates(rate, strides, data_format)
    return _with_space_to_batch(input, shape(filter), rates, padding, _spatial(data_format), op)


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
    """A 2-D convolution whose `strides` and `dilation_rate` name the spatial dimensions only.

    `filters` and `dilations` are new names. ValueError for other ranks, or for strides together with a dilation.
    """
    filter = renamed("filters", filters, "filter", filter)
    rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, "convolution", [input, filter]) as scope:
        input = convert_to_tensor(input, name="input")
        filter = convert_to_tensor(filter, name="filter")
        filter.shape.assert_has_rank(4)
        steps = [1, 1] if strides is None else list(strides) if hasattr(strides, "__len__") else [strides] * 2
        rates = _checked_rates(rate, steps, data_format)

        def op(tensor: Tensor, method: str) -> Tensor:
            return conv2d(tensor, filter, steps, method, data_format=data_format or "NHWC", name=scope)

        return _with_space_to_batch(input, filter.shape, rates, padding, _spatial(data_format), op)


def atrous_conv2d(value: Any, filters: Any, rate: int, padding: str, name: str | None = None) -> Tensor:
    """`convolution` with a dilation rate: `filters` sees every `rate`-th pixel."""
    return convolution(value, filters, padding, dilation_rate=[rate, rate], name=name)


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
    """The "MAX" or "AVG" of windows of images; shapes, `strides` and `dilation_rate` name the spatial dimensions only.

    `dilations` is the new name of `dilation_rate`. ValueError for other types, or for strides together with a dilation.
    """
    rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, f"{pooling_type.lower()}_pool", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if pooling_type not in ("MAX", "AVG"):
            raise ValueError(f"pooling type '{pooling_type}' is not one of MAX, AVG.")
        function = max_pool if pooling_type == "MAX" else avg_pool
        steps = [1, 1] if strides is None else list(strides) if hasattr(strides, "__len__") else [strides] * 2
        rates = _checked_rates(rate, steps, data_format)
        if padding == "SAME" and rates != [1, 1]:
            raise ValueError("padding SAME would make zeros count as pixels under a dilation rate: pad before")

        def op(tensor: Tensor, method: str) -> Tensor:
            return function(tensor, list(window_shape), steps, method, data_format or "NHWC", name=scope)

        return _with_space_to_batch(input, list(window_shape), rates, padding, _spatial(data_format), op)
