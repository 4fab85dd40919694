"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Assert(*, condition: TensorLike, data: Sequence[TensorLike], summarize: int | None = 3, name: str | None = None) -> Operation:
    """InvalidArgument with the first `summarize` entries of each of `data` if the scalar `condition` is false."""

def Print(*, input: TensorLike, data: Sequence[TensorLike], message: str | bytes | None = '', first_n: int | None = -1, summarize: int | None = 3, name: str | None = None) -> Tensor:
    """`input`; prints `message` and the first `summarize` entries of each of `data` to stderr, the first `first_n` times (-1: always)."""

def PrintV2(*, input: TensorLike, output_stream: str | bytes | None = 'stderr', end: str | bytes | None = '\n', name: str | None = None) -> Operation:
    """Prints the scalar `input` and `end` to stdout, stderr (log(…) goes there too, as a line of a log) or appends it to file://PATH."""
