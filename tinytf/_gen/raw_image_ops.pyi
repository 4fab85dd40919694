"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def EncodePng(*, image: TensorLike, compression: int | None = -1, name: str | None = None) -> Tensor:
    """An image [height, width, channels] with 1 to 4 channels as a PNG file. `compression` goes from 0 (none) to 9; -1 is zlib's choice."""

def ResizeBilinear(*, images: TensorLike, size: TensorLike, align_corners: bool | None = False, half_pixel_centers: bool | None = False, name: str | None = None) -> Tensor:
    """Images [batch, height, width, channels] in another `size` [2], height and width: each pixel of the result is interpolated between the four that it lies between. With `align_corners` the centres of the pixels in the corners stay where they are, with `half_pixel_centers` the corners of these; not both."""

def ResizeBilinearGrad(*, grads: TensorLike, original_image: TensorLike, align_corners: bool | None = False, half_pixel_centers: bool | None = False, name: str | None = None) -> Tensor:
    """Gradient of `ResizeBilinear` for its images from that of its output; of the shape of `original_image`."""

def ResizeNearestNeighbor(*, images: TensorLike, size: TensorLike, align_corners: bool | None = False, half_pixel_centers: bool | None = False, name: str | None = None) -> Tensor:
    """Images [batch, height, width, channels] in another `size` [2], height and width: each pixel of the result is the one that is there. `align_corners` and `half_pixel_centers` are those of `ResizeBilinear`."""

def ResizeNearestNeighborGrad(*, grads: TensorLike, size: TensorLike, align_corners: bool | None = False, half_pixel_centers: bool | None = False, name: str | None = None) -> Tensor:
    """Gradient of `ResizeNearestNeighbor` for its images, whose height and width are `size` [2], from that of its output."""
