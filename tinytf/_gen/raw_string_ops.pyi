"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.string_ops import _StringSplitOutputs, _StringSplitV2Outputs

def AsString(*, input: TensorLike, precision: int | None = -1, scientific: bool | None = False, shortest: bool | None = False, width: int | None = -1, fill: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Each number as text, in printf's %d, %f, %e (`scientific`) or %g (`shortest`); booleans as true and false."""

def DecodeBase64(*, input: TensorLike, name: str | None = None) -> Tensor:
    """The bytes that each string stands for in base64 for URLs, with padding or without."""

def EncodeBase64(*, input: TensorLike, pad: bool | None = False, name: str | None = None) -> Tensor:
    """The bytes of each string in base64 for URLs: with - and _, and with = at the end only if `pad`."""

def StringFormat(*, inputs: Sequence[TensorLike], template: str | bytes | None = '%s', placeholder: str | bytes | None = '%s', summarize: int | None = 3, name: str | None = None) -> Tensor:
    """`template` with each `placeholder` replaced by the values of one of `inputs`: the first and the last `summarize` entries of each dimension (-1: all)."""

def StringJoin(*, inputs: Sequence[TensorLike], separator: str | bytes | None = '', name: str | None = None) -> Tensor:
    """The inputs' strings joined element by element with `separator` between; scalars go with every element."""

def StringLength(*, input: TensorLike, unit: str | bytes | None = 'BYTE', name: str | None = None) -> Tensor:
    """Length of each string in bytes or in UTF-8 characters."""

def StringLower(*, input: TensorLike, encoding: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Each string with its letters in lower case: those of ASCII, or of Unicode if `encoding` is "utf-8"."""

def StringSplit(*, input: TensorLike, delimiter: TensorLike, skip_empty: bool | None = True, name: str | None = None) -> _StringSplitOutputs:
    """The parts of each of a vector of strings between the bytes of `delimiter`, its single bytes if that is empty: a SparseTensor with a row for each string."""

def StringSplitV2(*, input: TensorLike, sep: TensorLike, maxsplit: int | None = -1, name: str | None = None) -> _StringSplitV2Outputs:
    """The parts of each of a vector of strings between occurrences of `sep`, or its words if that is empty, in at most `maxsplit` cuts unless that is negative: a SparseTensor with a row for each string."""

def StringStrip(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Each string without the white space at its ends."""

def StringUpper(*, input: TensorLike, encoding: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Each string with its letters in upper case: those of ASCII, or of Unicode if `encoding` is "utf-8"."""

def Substr(*, input: TensorLike, pos: TensorLike, len: TensorLike, unit: str | bytes | None = 'BYTE', name: str | None = None) -> Tensor:
    """`len` bytes or characters of each string from `pos` on, which counts from the end if negative; fewer where the string ends. `pos` and `len` have one shape and are broadcast with the strings. InvalidArgument for a `pos` beyond the string."""
