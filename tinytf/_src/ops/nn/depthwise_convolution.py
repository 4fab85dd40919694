"""Depthwise convolutions, which filter each channel separately, and separable ones, which then mix the channels."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.nn.convolution import conv2d
from tinytf._src.ops.nn.space_to_batch import spatial_dims_of, steps_and_rates, with_space_to_batch


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
    """Convolves each channel with its own filters.

    Args:
      input: tensor [batch, height, width, in], or [batch, in, height, width] if `data_format` is "NCHW".
      filter: tensor [height, width, in, multiplier].
      strides: four ints.
      padding: "SAME" or "VALID".
      rate: optional pair of ints, dilation rates. Rates other than 1 require strides of 1 and "NHWC".
      name: optional name of the operation.
      data_format: "NHWC" (default) or "NCHW".
      dilations: another name of `rate`.

    Returns:
      A tensor with in * multiplier channels.

    Raises:
      ValueError: if `rate` is given under both names, or if arguments exclude each other.
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
    if rate is not None and not hasattr(rate, "__len__"):
        raise ValueError("rate must be rank 1")
    _, rates = steps_and_rates(2, None, rate)
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
    """Applies `depthwise_conv2d`, and then a 1 × 1 convolution.

    Args:
      depthwise_filter: tensor [height, width, in, multiplier].
      pointwise_filter: tensor [1, 1, in * multiplier, out].
      input, strides, padding, rate, name, data_format, dilations: as in `depthwise_conv2d`.

    Returns:
      A tensor with out channels.

    Raises:
      ValueError: if shapes do not match, or as in `depthwise_conv2d`.
    """
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
