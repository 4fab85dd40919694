"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def CloseSummaryWriter(*, writer: Tensor, name: str | None = None) -> Operation:
    """Flushes the writer and forgets it."""

def CreateSummaryFileWriter(*, writer: Tensor, logdir: TensorLike, max_queue: TensorLike, flush_millis: TensorLike, filename_suffix: TensorLike, name: str | None = None) -> Operation:
    """Creates the writer of a handle, unless there is one, and its file in `logdir`, a folder that is made. `max_queue` has no effect."""

def FlushSummaryWriter(*, writer: Tensor, name: str | None = None) -> Operation:
    """Waits until what was written is in the file."""

def ImportEvent(*, writer: Tensor, event: TensorLike, name: str | None = None) -> Operation:
    """Writes a serialized Event as it is; DataLoss if it is none."""

def SummaryWriter(*, shared_name: str | bytes | None = '', container: str | bytes | None = '', name: str | None = None) -> Tensor:
    """The handle of a writer of events, by its name."""

def WriteAudioSummary(*, writer: Tensor, step: TensorLike, tag: TensorLike, tensor: TensorLike, sample_rate: TensorLike, max_outputs: int | None = 3, name: str | None = None) -> Operation:
    """Writes sounds as AudioSummaryV2 tells them."""

def WriteGraphSummary(*, writer: Tensor, step: TensorLike, tensor: TensorLike, name: str | None = None) -> Operation:
    """Writes a serialized GraphDef; DataLoss if it is none."""

def WriteHistogramSummary(*, writer: Tensor, step: TensorLike, tag: TensorLike, values: TensorLike, name: str | None = None) -> Operation:
    """Writes a histogram; InvalidArgument unless all values are finite."""

def WriteImageSummary(*, writer: Tensor, step: TensorLike, tag: TensorLike, tensor: TensorLike, bad_color: TensorLike, max_images: int | None = 3, name: str | None = None) -> Operation:
    """Writes images as ImageSummary tells them."""

def WriteRawProtoSummary(*, writer: Tensor, step: TensorLike, tensor: TensorLike, name: str | None = None) -> Operation:
    """Writes serialized Summaries as one; DataLoss if one is none."""

def WriteScalarSummary(*, writer: Tensor, step: TensorLike, tag: TensorLike, value: TensorLike, name: str | None = None) -> Operation:
    """Writes a number."""

def WriteSummary(*, writer: Tensor, step: TensorLike, tensor: TensorLike, tag: TensorLike, summary_metadata: TensorLike, name: str | None = None) -> Operation:
    """Writes a tensor, whose SummaryMetadata say what shows it."""
