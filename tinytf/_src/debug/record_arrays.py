"""Decodes the arrays in a file of recorded steps from .npy members and checks their dtype and shape."""

from __future__ import annotations

import io
import math
import tokenize
from typing import Any

import numpy as np

from tinytf._src.debug.record_damage import Damage, check, damage_if

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
# Raised by NumPy for malformed headers, which are Python expressions. Headers are short, so a MemoryError means that
# the expression is nested too deeply.
_HEADER_ERRORS = (
    *(ArithmeticError, EOFError, LookupError, MemoryError, RecursionError, SyntaxError, TypeError, ValueError),
    tokenize.TokenError,
)


def array_from(data: bytes, dtype: np.dtype[Any], shape: list[int]) -> np.ndarray[Any, Any]:
    """Returns the array in a member, a view of `data`. Raises Damage if its dtype or shape is another one."""
    text = io.BytesIO(data)
    with damage_if(*_HEADER_ERRORS):
        found_shape, fortran_order, found = _HEADERS[np.lib.format.read_magic(text)](text)
    if found != dtype or list(found_shape) != shape:
        raise Damage(f"an array is {found}{list(found_shape)}, not {dtype}{shape}")
    begin = text.tell()
    if len(data) - begin != math.prod(shape) * dtype.itemsize:
        raise Damage(f"an array of {dtype}{shape} has the wrong number of bytes, {len(data) - begin}")
    with damage_if(ValueError, OverflowError):  # empty arrays with dimensions that NumPy rejects
        return np.frombuffer(data, dtype, offset=begin).reshape(shape, order="F" if fortran_order else "C")


def strings_from(data: bytes, lengths_data: bytes, shape: list[int]) -> np.ndarray[Any, Any]:
    """Returns the array of bytes objects that two members hold: concatenated bytes and lengths."""
    lengths = array_from(lengths_data, np.dtype(np.int64), [math.prod(shape)])
    ends = [0]
    for length in lengths.tolist():
        ends.append(ends[-1] + check(length, int))
    text = array_from(data, np.dtype(np.uint8), [ends[-1]]).tobytes()
    array = np.empty(len(lengths), object)
    array[:] = [text[begin:end] for begin, end in zip(ends, ends[1:])]
    with damage_if(ValueError, OverflowError):
        return array.reshape(shape)
