"""`tf.nn.pool`: windows over one to three dimensions with strides or dilation rates."""

from __future__ import annotations

from typing import Any

from tinytf.exports import tf_export
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.arguments import renamed
from tinytf.ops.array.shape_ops import expand_dims, squeeze
from tinytf.ops.nn.pooling import avg_pool, avg_pool3d, max_pool, max_pool3d
from tinytf.ops.nn.space_to_batch import spatial_dims_of, steps_and_rates, with_space_to_batch


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
