"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Assert(*, condition: TensorLike, data: Sequence[TensorLike], summarize: int | None = 3, name: str | None = None) -> Operation:
    """Fails with InvalidArgument, showing the first `summarize` entries of each tensor in `data`, if the scalar `condition` is false."""

def AudioSummary(*, tag: TensorLike, tensor: TensorLike, sample_rate: float, max_outputs: int | None = 3, name: str | None = None) -> Tensor:
    """Returns a Summary of a batch of sounds with the sample rate `sample_rate`. Early graphs use it in place of AudioSummaryV2."""

def AudioSummaryV2(*, tag: TensorLike, tensor: TensorLike, sample_rate: TensorLike, max_outputs: int | None = 3, name: str | None = None) -> Tensor:
    """Returns a Summary with the first `max_outputs` sounds of the batch `tensor`, [b, frames] or [b, frames, channels], as WAV files. Samples are clipped to [-1, 1]."""

def HistogramSummary(*, tag: TensorLike, values: TensorLike, name: str | None = None) -> Tensor:
    """Returns a Summary with a histogram of `values`. Fails with InvalidArgument unless all values are finite."""

def ImageSummary(*, tag: TensorLike, tensor: TensorLike, max_images: int | None = 3, bad_color: TensorLike | None = None, name: str | None = None) -> Tensor:
    """Returns a Summary with the first `max_images` images of the batch `tensor` [b, height, width, channels] as PNG files. Images have 1, 3 or 4 channels. Floats are scaled to bytes, each image by itself; `bad_color` marks pixels that are not finite."""

def MergeSummary(*, inputs: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """Merges the Summaries in `inputs` into one. Fails with InvalidArgument if two values have the same tag."""

def Print(*, input: TensorLike, data: Sequence[TensorLike], message: str | bytes | None = '', first_n: int | None = -1, summarize: int | None = 3, name: str | None = None) -> Tensor:
    """Returns `input` unchanged and prints `message` and the first `summarize` entries of each tensor in `data` to stderr. It prints only the first `first_n` times it runs, or always if `first_n` is -1."""

def PrintV2(*, input: TensorLike, output_stream: str | bytes | None = 'stderr', end: str | bytes | None = '\n', name: str | None = None) -> Operation:
    """Prints the scalar `input` followed by `end` to `output_stream`: "stdout", "stderr", "log(info)", "log(warning)" or "log(error)" (a log line on stderr), or "file://PATH", to which it appends."""

def ScalarSummary(*, tags: TensorLike, values: TensorLike, name: str | None = None) -> Tensor:
    """Returns a Summary with the numbers `values`, one for each tag in `tags`. Both have equal shapes."""

def TensorSummary(*, tensor: TensorLike, description: str | bytes | None = '', labels: Sequence[str | bytes] | None = (), display_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a Summary with the value `tensor` under the name of the node. The attrs `description`, `labels` and `display_name` have no effect on it."""

def TensorSummaryV2(*, tag: TensorLike, tensor: TensorLike, serialized_summary_metadata: TensorLike, name: str | None = None) -> Tensor:
    """Returns a Summary with the value `tensor` under `tag`. `serialized_summary_metadata` is a SummaryMetadata that names the plugin that displays it."""
