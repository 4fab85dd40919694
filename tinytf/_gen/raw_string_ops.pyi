"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.string_ops import _StringSplitOutputs, _StringSplitV2Outputs

def AsString(*, input: TensorLike, precision: int | None = -1, scientific: bool | None = False, shortest: bool | None = False, width: int | None = -1, fill: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Converts each number in `input` to text with printf's %d or %f, or with %e if `scientific` or %g if `shortest` is true. Bools become "true" and "false"; `precision`, `width` and `fill` complete the format."""

def DecodeBase64(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Decodes each string in `input` from web-safe base64, with or without padding."""

def EncodeBase64(*, input: TensorLike, pad: bool | None = False, name: str | None = None) -> Tensor:
    """Encodes the bytes of each string in `input` in web-safe base64, which uses - and _. With `pad` it is padded with =."""

def ReduceJoin(*, inputs: TensorLike, reduction_indices: TensorLike, keep_dims: bool | None = False, separator: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Joins the strings of `inputs` over the dimensions `reduction_indices`, the first of which varies fastest, with `separator` between them; with `keep_dims` these dimensions keep size 1."""

def StringFormat(*, inputs: Sequence[TensorLike], template: str | bytes | None = '%s', placeholder: str | bytes | None = '%s', summarize: int | None = 3, name: str | None = None) -> Tensor:
    """Replaces each `placeholder` in `template` by the values of one of the tensors in `inputs`: the first and the last `summarize` entries of each dimension, or all entries if `summarize` is -1."""

def StringJoin(*, inputs: Sequence[TensorLike], separator: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Joins the strings of the N tensors in `inputs` element-wise, with `separator` between them. Scalars are broadcast."""

def StringLength(*, input: TensorLike, unit: str | bytes | None = 'BYTE', name: str | None = None) -> Tensor:
    """Returns the length of each string, in bytes or UTF-8 characters as `unit` says."""

def StringLower(*, input: TensorLike, encoding: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Converts each string to lower case: ASCII letters only, or all of Unicode if `encoding` is "utf-8"."""

def StringSplit(*, input: TensorLike, delimiter: TensorLike, skip_empty: bool | None = True, name: str | None = None) -> _StringSplitOutputs:
    """Splits each string in the vector `input` at the bytes in `delimiter`, or into single bytes if `delimiter` is empty. Returns a SparseTensor with one row per string; `skip_empty` drops empty parts."""

def StringSplitV2(*, input: TensorLike, sep: TensorLike, maxsplit: int | None = -1, name: str | None = None) -> _StringSplitV2Outputs:
    """Splits each string in the vector `input` at the separator `sep`, or into words if `sep` is empty. At most `maxsplit` splits are made, unless `maxsplit` is negative. Returns a SparseTensor with one row per string."""

def StringStrip(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Removes white space from both ends of each string."""

def StringUpper(*, input: TensorLike, encoding: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Converts each string to upper case: ASCII letters only, or all of Unicode if `encoding` is "utf-8"."""

def Substr(*, input: TensorLike, pos: TensorLike, len: TensorLike, unit: str | bytes | None = 'BYTE', name: str | None = None) -> Tensor:
    """Takes from each string in `input` a substring of `len` bytes, or characters as `unit` says, from `pos` on; it is shorter if the string ends before. A negative `pos` counts from the end. `pos` and `len` have equal shapes and are broadcast with `input`; fails with InvalidArgument if `pos` is outside the string."""
