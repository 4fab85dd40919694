"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def EncodePng(*, image: TensorLike, compression: int | None = -1, name: str | None = None) -> Tensor:
    """An image [height, width, channels] with 1 to 4 channels as a PNG file. `compression` goes from 0 (none) to 9; -1 is zlib's choice."""
