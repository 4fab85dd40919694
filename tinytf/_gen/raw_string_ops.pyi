"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def AsString(*, input: TensorLike, precision: int | None = -1, scientific: bool | None = False, shortest: bool | None = False, width: int | None = -1, fill: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Each number as text, in printf's %d, %f, %e (`scientific`) or %g (`shortest`); booleans as true and false."""

def StringFormat(*, inputs: Sequence[TensorLike], template: str | bytes | None = '%s', placeholder: str | bytes | None = '%s', summarize: int | None = 3, name: str | None = None) -> Tensor:
    """`template` with each `placeholder` replaced by the values of one of `inputs`: the first and the last `summarize` entries of each dimension (-1: all)."""

def StringJoin(*, inputs: Sequence[TensorLike], separator: str | bytes | None = '', name: str | None = None) -> Tensor:
    """The inputs' strings joined element by element with `separator` between; scalars go with every element."""

def StringLength(*, input: TensorLike, unit: str | bytes | None = 'BYTE', name: str | None = None) -> Tensor:
    """Length of each string in bytes or in UTF-8 characters."""

def StringLower(*, input: TensorLike, encoding: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Each string with its letters in lower case: those of ASCII, or of Unicode if `encoding` is "utf-8"."""

def StringStrip(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Each string without the white space at its ends."""

def StringUpper(*, input: TensorLike, encoding: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Each string with its letters in upper case: those of ASCII, or of Unicode if `encoding` is "utf-8"."""
