"""Images in other sizes."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.tensor import Tensor


@tf_export("image.resize_bilinear")
@called_by_users
def resize_bilinear(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """Images [batch, height, width, channels] as float32 of another `size`, int32 [2]: height and width.

    Each pixel of the result lies between four of the image, and is interpolated. With `align_corners` the centres of the
    pixels in the corners stay where they are, with `half_pixel_centers` the corners of these.

    Errors of the step (InvalidArgumentError): both at a time, images without pixels or channels, a size that is not
    positive.
    """
    return gen_ops.resize_bilinear(images, size, align_corners, half_pixel_centers, name=name)


@tf_export("image.resize_nearest_neighbor")
@called_by_users
def resize_nearest_neighbor(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """Images [batch, height, width, channels] of another `size`, int32 [2]: each pixel is that of the image which is there.

    The other arguments, and errors, are those of `resize_bilinear`.
    """
    return gen_ops.resize_nearest_neighbor(images, size, align_corners, half_pixel_centers, name=name)
