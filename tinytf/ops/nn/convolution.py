"""Convolutions: `strides`, `padding` and `data_format` in TensorFlow 1's forms."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.arguments import renamed

_LIST_ONLY = (
    '"EXPLICIT" is not a valid value for the padding parameter. To use explicit padding, the padding parameter must be '
    "a list."
)


def channel_index_of(data_format: str) -> int:
    """Which of the four dimensions of images has the channels."""
    return 1 if data_format.startswith("NC") else 3


def spatial_sequence(value: Any, channel_index: int, name: str, count: int = 2) -> Any:
    """A spatial argument as one int for each dimension of a batch: given as one, as `count`, or as all of them.

    All of them are handed on as they are: whether it is a list is for the op to say, as in TensorFlow. ValueError for other
    lengths.
    """
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
    """The 2-D convolution of images [batch, height, width, in] (or NCHW) with `filter` [height, width, in, out].

    `strides` and `dilations` are an int, two or four ints; `padding` is "SAME", "VALID" or a list of four (before,
    after) pairs. `filters` is the new name of `filter`. ValueError for shapes that do not fit.
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
    """The gradient of `conv2d` with respect to its filter of shape `filter_sizes`."""
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
    """The gradient of `conv2d` with respect to its input of shape `input_sizes`."""
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
    """The transposed convolution (the gradient of `conv2d`): `filter` is [height, width, out, in].

    `output_shape` is a vector of four ints. Other arguments as for `conv2d`; `input` and `filters` are new names.
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
    """The 3-D convolution of [batch, depth, height, width, in] (or NCDHW) with [depth, height, width, in, out].

    `strides` and `dilations` are five ints; `filters` is the new name of `filter`.
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
    """The transposed 3-D convolution: `filter` is [depth, height, width, out, in]. Arguments as for `conv3d`."""
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
