"""Pooling of images and volumes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.nn.convolution import channel_index_of, spatial_sequence


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
        channel_index = channel_index_of(data_format)
        sizes = spatial_sequence(ksize, channel_index, "ksize")
        if isinstance(sizes, (list, tuple, np.ndarray)) and any(size == 0 for size in sizes):
            raise ValueError("ksize cannot be zero.")
        steps = spatial_sequence(strides, channel_index, "strides")
        return function(value, ksize=sizes, strides=steps, padding=padding, data_format=data_format, name=scope)


@tf_export("nn.max_pool")
def max_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Tensor:
    """Computes the maximum of each window of images.

    Args:
      value: tensor [batch, height, width, channels], or [batch, channels, height, width] for "NCHW".
      ksize: one, two or four ints, the window size.
      strides: one, two or four ints.
      padding: "SAME" or "VALID".
      data_format: "NHWC" or "NCHW".
      name: optional name of the operation.
      input: another name of `value`.

    Returns:
      A tensor with pooled height and width.

    Raises:
      ValueError: if a window size is 0, or if `value` is given under both names.
    """
    try:
        value = renamed("input", input, "value", value)
        return _pool(gen_ops.max_pool, "MaxPool", value, ksize, strides, padding, data_format, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("nn.avg_pool")
def avg_pool(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Tensor:
    """Computes the mean of each window of images, not counting the padding.

    Args:
      value, ksize, strides, padding, data_format, name, input: as in `max_pool`.

    Returns:
      A tensor with pooled height and width.
    """
    try:
        value = renamed("input", input, "value", value)
        return _pool(gen_ops.avg_pool, "AvgPool", value, ksize, strides, padding, data_format, name)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("nn.max_pool2d")
@called_by_users
def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Computes the maximum of each window of images.

    Args:
      input, ksize, strides, padding, data_format, name: as in `max_pool`.

    Returns:
      A tensor with pooled height and width.
    """
    return _pool(gen_ops.max_pool, "MaxPool2d", input, ksize, strides, padding, data_format, name)


@tf_export("nn.avg_pool2d")
@called_by_users
def avg_pool2d(
    value: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
) -> Tensor:
    """Computes the mean of each window of images, not counting the padding.

    Args:
      value, ksize, strides, padding, data_format, name, input: as in `max_pool`.

    Returns:
      A tensor with pooled height and width.
    """
    return avg_pool(value, ksize, strides, padding, data_format, name, input)


@tf_export("nn.max_pool3d")
@called_by_users
def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC", name: str | None = None
) -> Tensor:
    """Computes the maximum of each window of volumes.

    Args:
      input: tensor [batch, depth, height, width, channels], or [batch, channels, depth, height, width] for "NCDHW".
      ksize: one, three or five ints, the window size.
      strides: one, three or five ints.
      padding: "SAME" or "VALID".
      data_format: "NDHWC" or "NCDHW".
      name: optional name of the operation.

    Returns:
      A tensor with pooled spatial dimensions.
    """
    return _pool3d(gen_ops.max_pool3d, "MaxPool3D", input, ksize, strides, padding, data_format, name)


@tf_export("nn.avg_pool3d")
@called_by_users
def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC", name: str | None = None
) -> Tensor:
    """Computes the mean of each window of volumes, not counting the padding.

    Args:
      input, ksize, strides, padding, data_format, name: as in `max_pool3d`.

    Returns:
      A tensor with pooled spatial dimensions.
    """
    return _pool3d(gen_ops.avg_pool3d, "AvgPool3D", input, ksize, strides, padding, data_format, name)


def _pool3d(
    function: Any,
    default_name: str,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str,
    name: str | None,
) -> Tensor:
    with name_scope(name, default_name, [input]) as scope:
        data_format = data_format or "NDHWC"
        channels_first = data_format.startswith("NC")
        sizes = spatial_sequence(ksize, 1 if channels_first else 4, "ksize", 3)
        steps = spatial_sequence(strides, 1 if channels_first else 4, "strides", 3)
        return function(input, ksize=sizes, strides=steps, padding=padding, data_format=data_format, name=scope)
