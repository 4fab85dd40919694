"""Resizing of images."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor


@tf_export("image.resize_bilinear")
@called_by_users
def resize_bilinear(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """Resizes images by bilinear interpolation.

    Running the result raises InvalidArgumentError if both flags are set, if images have no pixels or channels, or if
    `size` is not positive.

    Args:
      images: tensor of shape [batch, height, width, channels].
      size: int32 vector [new_height, new_width].
      align_corners: bool, whether the centers of the corner pixels stay fixed.
      name: optional name of the operation.
      half_pixel_centers: bool, whether pixel centers are at half-integer coordinates.

    Returns:
      A float32 tensor of shape [batch, new_height, new_width, channels].
    """
    return gen_ops.resize_bilinear(images, size, align_corners, half_pixel_centers, name=name)


@tf_export("image.resize_nearest_neighbor")
@called_by_users
def resize_nearest_neighbor(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """Resizes images by copying the nearest pixel.

    Args:
      images, size, align_corners, name, half_pixel_centers: as in `resize_bilinear`.

    Returns:
      A tensor of shape [batch, new_height, new_width, channels] and the dtype of `images`.
    """
    return gen_ops.resize_nearest_neighbor(images, size, align_corners, half_pixel_centers, name=name)
