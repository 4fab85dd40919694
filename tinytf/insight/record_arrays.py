"""Arrays in a file of recorded steps: the content of .npy members, of one type and shape and no other."""

from __future__ import annotations

import io
import math
import tokenize
from typing import Any

import numpy as np

from tinytf.insight.record_damage import Damage, check, damage_if

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
# What NumPy raises for headers, which are expressions of Python. They are short: a MemoryError is of one nested too deeply.
_HEADER_ERRORS = (
    *(ArithmeticError, EOFError, LookupError, MemoryError, RecursionError, SyntaxError, TypeError, ValueError),
    tokenize.TokenError,
)


def array_from(data: bytes, dtype: np.dtype[Any], shape: list[int]) -> np.ndarray[Any, Any]:
    """The array that a member holds; a view of `data`. Damage if it has another type or shape."""
    text = io.BytesIO(data)
    with damage_if(*_HEADER_ERRORS):
        found_shape, fortran_order, found = _HEADERS[np.lib.format.read_magic(text)](text)
    if found != dtype or list(found_shape) != shape:
        raise Damage(f"an array is {found}{list(found_shape)}, not {dtype}{shape}")
    begin = text.tell()
    if len(data) - begin != math.prod(shape) * dtype.itemsize:
        raise Damage(f"an array of {dtype}{shape} has {len(data) - begin} bytes of data")
    with damage_if(ValueError, OverflowError):  # shapes that no array has, of no elements
        return np.frombuffer(data, dtype, offset=begin).reshape(shape, order="F" if fortran_order else "C")


def strings_from(data: bytes, lengths_data: bytes, shape: list[int]) -> np.ndarray[Any, Any]:
    """The array of bytes objects that two members hold."""
    lengths = array_from(lengths_data, np.dtype(np.int64), [math.prod(shape)])
    ends = [0]
    for length in lengths.tolist():
        ends.append(ends[-1] + check(length, int))
    text = array_from(data, np.dtype(np.uint8), [ends[-1]]).tobytes()
    array = np.empty(len(lengths), object)
    array[:] = [text[begin:end] for begin, end in zip(ends, ends[1:])]
    with damage_if(ValueError, OverflowError):
        return array.reshape(shape)
