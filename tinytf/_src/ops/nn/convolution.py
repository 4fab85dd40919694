"""Convolutions with the forms of `strides`, `padding` and `data_format` of TensorFlow 1."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.ops.arguments import renamed

_LIST_ONLY = (
    '"EXPLICIT" is not a valid value for the padding parameter. To use explicit padding, the padding parameter must be '
    "a list."
)


def channel_index_of(data_format: str) -> int:
    """Returns the index of the channel dimension of 4-D images."""
    return 1 if data_format.startswith("NC") else 3


def spatial_sequence(value: Any, channel_index: int, name: str, count: int = 2) -> Any:
    """Expands 1, `count` or `count + 2` ints to one int per dimension. Raises ValueError for another number of ints."""
    if value is None:
        value = [1]
    elif not hasattr(value, "__len__"):
        value = [value]
    length = len(value)
    if length == count + 2:
        return value
    if length == 1:
        value = [value[0]] * count
    elif length != count:
        raise ValueError(f"{name} should be of length 1, {count} or {count + 2} but was {length}")
    return [1, 1, *value] if channel_index == 1 else [1, *value, 1]


def _padding(padding: Any) -> tuple[Any, list[int]]:
    """Returns the `padding` attribute, and the flattened explicit paddings if the argument is a list of four pairs."""
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


@tf_export("nn.conv2d")
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
    """Computes a 2-D convolution.

    Args:
      input: tensor [batch, height, width, in], or [batch, in, height, width] if `data_format` is "NCHW".
      filter: tensor [height, width, in, out]; `filters` is another name of it.
      strides, dilations: one, two or four ints.
      padding: "SAME", "VALID" or a list of four (before, after) pairs.
    """
    try:
        filter = renamed("filters", filters, "filter", filter)
        padding, explicit = _padding(padding)
        data_format = data_format or "NHWC"
        channel_index = channel_index_of(data_format)
        return gen_ops.conv2d(
            input,
            filter,
            strides=spatial_sequence(strides, channel_index, "strides"),
            padding=padding,
            use_cudnn_on_gpu=use_cudnn_on_gpu,
            explicit_paddings=explicit,
            data_format=data_format,
            dilations=spatial_sequence(dilations, channel_index, "dilations"),
            name=name,
        )
    except REPORTED:
        leave_to_user()
        raise


@tf_export("nn.conv2d_backprop_filter")
@called_by_users
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
    """Computes the gradient of `conv2d` with respect to its filter, which has the shape `filter_sizes`."""
    padding, explicit = _padding(padding)
    return gen_ops.conv2d_backprop_filter(
        input,
        filter_sizes,
        out_backprop,
        strides=strides,
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


@tf_export("nn.conv2d_backprop_input")
@called_by_users
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
    """Computes the gradient of `conv2d` with respect to its input, which has the shape `input_sizes`."""
    filter = renamed("filters", filters, "filter", filter)
    padding, explicit = _padding(padding)
    return gen_ops.conv2d_backprop_input(
        input_sizes,
        filter,
        out_backprop,
        strides=strides,
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=explicit,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


@tf_export("nn.conv2d_transpose")
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
    """Computes a transposed convolution, which is the gradient of `conv2d`.

    `filter` is [height, width, out, in], `output_shape` a vector of four ints. `input` and `filters` are other names.
    """
    value = renamed("input", input, "value", value)
    filter = renamed("filters", filters, "filter", filter)
    with name_scope(name, "conv2d_transpose", [value, filter, output_shape]) as scope:
        padding, explicit = _padding(padding)
        data_format = data_format or "NHWC"
        channel_index = channel_index_of(data_format)
        return gen_ops.conv2d_backprop_input(
            output_shape,
            filter,
            value,
            strides=spatial_sequence(strides, channel_index, "strides"),
            padding=padding,
            explicit_paddings=explicit,
            data_format=data_format,
            dilations=spatial_sequence(dilations, channel_index, "dilations"),
            name=scope,
        )


@tf_export("nn.conv1d")
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
    """Computes a 1-D convolution as a 2-D convolution of height 1. Raises ValueError if `data_format` is unknown.

    `value` is [batch, width, in], or [batch, in, width] for "NCW"; `filters` is [width, in, out].
    """
    value = renamed("input", input, "value", value)
    with name_scope(name, "conv1d", [value, filters]) as scope:
        if data_format in (None, "NHWC", "NWC"):
            data_format, spatial_start, channel = "NHWC", 1, 2
        elif data_format in ("NCHW", "NCW"):
            data_format, spatial_start, channel = "NCHW", 2, 1
        else:
            raise ValueError('data_format must be "NWC" or "NCW".')
        strides = spatial_sequence(stride, channel, "stride", 1)
        steps = spatial_sequence(dilations, channel, "dilations", 1)
        value = gen_ops.expand_dims(value, spatial_start)
        filters = gen_ops.expand_dims(filters, 0)
        result = gen_ops.conv2d(
            value,
            filters,
            strides=[1, *strides],
            padding=padding,
            use_cudnn_on_gpu=use_cudnn_on_gpu if use_cudnn_on_gpu is not None else True,
            data_format=data_format,
            dilations=[1, *steps],
            name=scope,
        )
        return gen_ops.squeeze(result, [spatial_start])


@tf_export("nn.conv3d")
@called_by_users
def conv3d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str = "NDHWC",
    dilations: Any = (1, 1, 1, 1, 1),
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """Computes a 3-D convolution; `strides` and `dilations` are five ints, `filters` is another name of `filter`.

    `input` is [batch, depth, height, width, in] ("NCDHW": channels second), `filter` [depth, height, width, in, out].
    """
    filter = renamed("filters", filters, "filter", filter)
    return gen_ops.conv3d(
        input,
        filter,
        strides=strides,
        padding=padding,
        data_format=data_format or "NDHWC",
        dilations=dilations,
        name=name,
    )


@tf_export("nn.conv3d_transpose")
def conv3d_transpose(
    value: Any = None,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str = "NDHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """Computes a transposed 3-D convolution; `filter` is [depth, height, width, out, in]. Otherwise like `conv3d`."""
    value = renamed("input", input, "value", value)
    filter = renamed("filters", filters, "filter", filter)
    with name_scope(name, "conv3d_transpose", [value, filter, output_shape]) as scope:
        data_format = data_format or "NDHWC"
        channel_index = 1 if data_format.startswith("NC") else 4
        return gen_ops.conv3d_backprop_input_v2(
            output_shape,
            filter,
            value,
            strides=spatial_sequence(strides, channel_index, "strides", 3),
            padding=padding,
            data_format=data_format,
            dilations=spatial_sequence(dilations, channel_index, "dilations", 3),
            name=scope,
        )
