"""Convolutions over one to three dimensions with strides or dilation, and `atrous_conv2d`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.nn.convolution import conv1d, spatial_sequence
from tinytf._src.ops.nn.space_to_batch import spatial_dims_of, steps_and_rates, with_space_to_batch


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
    """Computes a convolution over one to three spatial dimensions.

    Args:
      input: tensor [batch, *spatial, in], or [batch, in, *spatial] if `data_format` starts with "NC".
      filter: tensor [*spatial, in, out].
      padding: "SAME" or "VALID".
      strides: optional ints, one per spatial dimension; defaults to 1.
      dilation_rate: optional ints, one per spatial dimension; defaults to 1. Excludes strides other than 1.
      name: optional name of the operation.
      data_format: optional str; by default the channels are the last dimension.
      filters: another name of `filter`.
      dilations: another name of `dilation_rate`.

    Returns:
      A tensor with out channels.

    Raises:
      ValueError: if shapes do not match, or if both strides and dilation are greater than 1.
    """
    filter = renamed("filters", filters, "filter", filter)
    rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    # As in TensorFlow, an object with a shape is converted by the operation that consumes it.
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
        steps, rates = steps_and_rates(ndims - 2, strides[spatial], rate[spatial])
        _check_format(ndims, data_format)
        strides = [1, 1, *steps] if channel_index == 1 else [1, *steps, 1]

        def op(tensor: Tensor, method: str) -> Tensor:
            return _plain_convolution(tensor, filter, ndims, strides, method, data_format, scope)

        spatial_dims = spatial_dims_of(ndims - 2, data_format)
        result = with_space_to_batch(input, filter_shape, rates, padding, spatial_dims, op)
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
    """Computes a convolution without dilation on tensors of rank `ndims`."""
    function: Any = {3: conv1d, 4: gen_ops.conv2d, 5: gen_ops.conv3d}[ndims]
    return function(input, filter, strides, padding, data_format=data_format, name=name)


@tf_export("nn.atrous_conv2d")
@called_by_users
def atrous_conv2d(value: Any, filters: Any, rate: int, padding: str, name: str | None = None) -> Tensor:
    """Computes a 2-D convolution with dilation.

    Args:
      value: tensor [batch, height, width, in].
      filters: tensor [height, width, in, out].
      rate: int; the filter reads every `rate`-th pixel.
      padding: "SAME" or "VALID".
      name: optional name of the operation.

    Returns:
      A tensor with out channels.
    """
    return convolution(value, filters, padding, dilation_rate=np.broadcast_to(rate, (2,)), name=name)
