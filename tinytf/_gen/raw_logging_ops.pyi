"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Assert(*, condition: TensorLike, data: Sequence[TensorLike], summarize: int | None = 3, name: str | None = None) -> Operation:
    """InvalidArgument with the first `summarize` entries of each of `data` if the scalar `condition` is false."""

def AudioSummary(*, tag: TensorLike, tensor: TensorLike, sample_rate: float, max_outputs: int | None = 3, name: str | None = None) -> Tensor:
    """AudioSummaryV2 as early graphs have it."""

def AudioSummaryV2(*, tag: TensorLike, tensor: TensorLike, sample_rate: TensorLike, max_outputs: int | None = 3, name: str | None = None) -> Tensor:
    """A Summary of the first `max_outputs` of a batch [b, frames] or [b, frames, channels] of sounds, as WAV files; samples are clipped to [-1, 1]."""

def HistogramSummary(*, tag: TensorLike, values: TensorLike, name: str | None = None) -> Tensor:
    """A Summary of a histogram of the values; InvalidArgument unless all are finite."""

def ImageSummary(*, tag: TensorLike, tensor: TensorLike, max_images: int | None = 3, bad_color: TensorLike | None = None, name: str | None = None) -> Tensor:
    """A Summary of the first `max_images` of a batch [b, height, width, channels] of images with 1, 3 or 4 channels, as PNGs. Floats are scaled to bytes, each image by itself; `bad_color` marks pixels that are not finite."""

def MergeSummary(*, inputs: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """One Summary of all values of the inputs; InvalidArgument where two have the same tag."""

def Print(*, input: TensorLike, data: Sequence[TensorLike], message: str | bytes | None = '', first_n: int | None = -1, summarize: int | None = 3, name: str | None = None) -> Tensor:
    """`input`; prints `message` and the first `summarize` entries of each of `data` to stderr, the first `first_n` times (-1: always)."""

def PrintV2(*, input: TensorLike, output_stream: str | bytes | None = 'stderr', end: str | bytes | None = '\n', name: str | None = None) -> Operation:
    """Prints the scalar `input` and `end` to stdout, stderr (log(…) goes there too, as a line of a log) or appends it to file://PATH."""

def ScalarSummary(*, tags: TensorLike, values: TensorLike, name: str | None = None) -> Tensor:
    """A Summary of numbers, which have the shape of their tags."""

def TensorSummary(*, tensor: TensorLike, description: str | bytes | None = '', labels: Sequence[str | bytes] | None = (), display_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """A Summary of a tensor, under the name of the node. The attrs are for those who read the graph."""

def TensorSummaryV2(*, tag: TensorLike, tensor: TensorLike, serialized_summary_metadata: TensorLike, name: str | None = None) -> Tensor:
    """A Summary of a tensor, whose SummaryMetadata say what shows it."""
