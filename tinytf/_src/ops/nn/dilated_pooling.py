"""`tf.nn.pool`: pooling over one to three dimensions with strides or dilation."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.arguments import renamed
from tinytf._src.ops.array.shape_ops import expand_dims, squeeze
from tinytf._src.ops.nn.pooling import avg_pool, avg_pool3d, max_pool, max_pool3d
from tinytf._src.ops.nn.space_to_batch import spatial_dims_of, steps_and_rates, with_space_to_batch


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
    """Pools windows over one to three spatial dimensions.

    Args:
      input: tensor [batch, *spatial, channels], or [batch, channels, *spatial] if `data_format` starts with "NC".
      window_shape: ints, one per spatial dimension.
      pooling_type: "MAX" or "AVG".
      padding: "SAME" or "VALID"; "SAME" excludes dilation.
      dilation_rate: optional ints, one per spatial dimension; excludes strides other than 1.
      strides: optional ints, one per spatial dimension, not greater than the window.
      name: optional name of the operation.
      data_format: optional str; by default the channels are the last dimension.
      dilations: another name of `dilation_rate`.

    Returns:
      A tensor with pooled spatial dimensions.

    Raises:
      ValueError: if arguments are invalid or exclude each other.
    """
    rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    with name_scope(name, f"{pooling_type.lower()}_pool", [input]) as scope:
        input = convert_to_tensor(input, name="input")
        if not 1 <= len(window_shape) <= 3:
            raise ValueError("It is required that 1 <= num_spatial_dims <= 3.")
        window = [int(n) for n in window_shape]
        input.shape.with_rank(len(window) + 2)
        steps, rates = steps_and_rates(len(window), strides, rate)
        if padding == "SAME" and any(r > 1 for r in rates):
            raise ValueError("pooling with SAME padding is not implemented for dilation_rate > 1")
        if any(step > size for step, size in zip(steps, window, strict=True)):
            raise ValueError(
                "strides > window_shape not supported due to inconsistency between CPU and GPU implementations"
            )
        if pooling_type not in ("MAX", "AVG"):
            raise ValueError(f"{len(window)}-D {pooling_type} pooling is not supported.")
        spatial_dims = spatial_dims_of(len(window), data_format)

        def op(tensor: Tensor, method: str) -> Tensor:
            return _plain_pool(tensor, pooling_type, window, steps, method, data_format, scope)

        return with_space_to_batch(input, window, rates, padding, spatial_dims, op)


def _plain_pool(
    input: Tensor,
    pooling_type: str,
    window: list[int],
    steps: list[int],
    padding: str,
    data_format: str | None,
    name: str,
) -> Tensor:
    """Pools without dilation; 1-D inputs are pooled as images of height 1. Raises ValueError for unknown 1-D
    formats.
    """
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
