"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def EncodePng(*, image: TensorLike, compression: int | None = -1, name: str | None = None) -> Tensor:
    """Encodes the image `image` [height, width, channels], with 1 to 4 channels, as a PNG file. `compression` is a level from 0 (none) to 9, or -1 for the default of zlib."""

def ResizeBilinear(*, images: TensorLike, size: TensorLike, align_corners: bool | None = False, half_pixel_centers: bool | None = False, name: str | None = None) -> Tensor:
    """Resizes `images` [batch, height, width, channels] to the height and width in `size` [2] by bilinear interpolation of the four neighboring pixels. With `align_corners` the centers of the corner pixels of input and output coincide, with `half_pixel_centers` their outer corners; not both may be set."""

def ResizeBilinearGrad(*, grads: TensorLike, original_image: TensorLike, align_corners: bool | None = False, half_pixel_centers: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the gradient of `ResizeBilinear` with respect to its images from the gradient `grads` of its output. `output` has the shape of `original_image`."""

def ResizeNearestNeighbor(*, images: TensorLike, size: TensorLike, align_corners: bool | None = False, half_pixel_centers: bool | None = False, name: str | None = None) -> Tensor:
    """Resizes `images` [batch, height, width, channels] to the height and width in `size` [2]. Each output pixel is the nearest input pixel. `align_corners` and `half_pixel_centers` have the same meaning as in `ResizeBilinear`."""

def ResizeNearestNeighborGrad(*, grads: TensorLike, size: TensorLike, align_corners: bool | None = False, half_pixel_centers: bool | None = False, name: str | None = None) -> Tensor:
    """Computes the gradient of `ResizeNearestNeighbor` with respect to its images from the gradient `grads` of its output. `size` [2] is the height and width of the images."""
