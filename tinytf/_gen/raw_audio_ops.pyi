"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def EncodeWav(*, audio: TensorLike, sample_rate: TensorLike, name: str | None = None) -> Tensor:
    """Encodes the samples `audio` [frames, channels] as a WAV file with 16 bits per sample. Samples are clipped to [-1, 1]."""
