"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def CloseSummaryWriter(*, writer: Tensor, name: str | None = None) -> Operation:
    """Writes all events of the writer to its file and removes the writer."""

def CreateSummaryFileWriter(*, writer: Tensor, logdir: TensorLike, max_queue: TensorLike, flush_millis: TensorLike, filename_suffix: TensorLike, name: str | None = None) -> Operation:
    """Creates the event writer behind the handle `writer`, unless it exists, and its file in `logdir`, a directory that is created if necessary. Events are collected for `flush_millis` milliseconds, but at most 100, before they are written; `max_queue` has no effect."""

def FlushSummaryWriter(*, writer: Tensor, name: str | None = None) -> Operation:
    """Waits until all events of the writer are in its file."""

def ImportEvent(*, writer: Tensor, event: TensorLike, name: str | None = None) -> Operation:
    """Writes the serialized Event `event` unchanged. Fails with DataLoss if it cannot be parsed."""

def SummaryWriter(*, shared_name: str | bytes | None = '', container: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns the handle of an event writer, which is identified by `container` and `shared_name`."""

def WriteAudioSummary(*, writer: Tensor, step: TensorLike, tag: TensorLike, tensor: TensorLike, sample_rate: TensorLike, max_outputs: int | None = 3, name: str | None = None) -> Operation:
    """Writes a summary of the sounds in `tensor` under `tag`, as AudioSummaryV2 does."""

def WriteGraphSummary(*, writer: Tensor, step: TensorLike, tensor: TensorLike, name: str | None = None) -> Operation:
    """Writes the serialized GraphDef `tensor` as an event of step `step`. Fails with DataLoss if it cannot be parsed."""

def WriteHistogramSummary(*, writer: Tensor, step: TensorLike, tag: TensorLike, values: TensorLike, name: str | None = None) -> Operation:
    """Writes a summary with a histogram of `values` under `tag`. Fails with InvalidArgument unless all values are finite."""

def WriteImageSummary(*, writer: Tensor, step: TensorLike, tag: TensorLike, tensor: TensorLike, bad_color: TensorLike, max_images: int | None = 3, name: str | None = None) -> Operation:
    """Writes a summary of the images in `tensor` under `tag`, as ImageSummary does."""

def WriteRawProtoSummary(*, writer: Tensor, step: TensorLike, tensor: TensorLike, name: str | None = None) -> Operation:
    """Writes the serialized Summaries in `tensor` as one event of step `step`. Fails with DataLoss if one cannot be parsed."""

def WriteScalarSummary(*, writer: Tensor, step: TensorLike, tag: TensorLike, value: TensorLike, name: str | None = None) -> Operation:
    """Writes a summary of the number `value` under `tag`."""

def WriteSummary(*, writer: Tensor, step: TensorLike, tensor: TensorLike, tag: TensorLike, summary_metadata: TensorLike, name: str | None = None) -> Operation:
    """Writes a summary of the value `tensor` under `tag`. `summary_metadata` is a serialized SummaryMetadata that names the plugin that displays it."""
