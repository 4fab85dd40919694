"""Convolutions of each channel by itself: depthwise, and separable ones, which mix the channels afterwards."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.arguments import renamed
from tinytf.ops.array.shape_ops import shape
from tinytf.ops.nn.convolution import conv2d
from tinytf.ops.nn.space_to_batch import spatial_dims_of, steps_and_rates, with_space_to_batch


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

    spatial_dims = spatial_dims_of(2, data_format)
    _, rates = steps_and_rates(2, None, _pair(rate))
    return with_space_to_batch(input, shape(filter), rates, padding, spatial_dims, op, filter)


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
