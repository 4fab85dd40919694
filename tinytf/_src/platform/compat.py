"""`tf.compat`: conversions between text, bytes and paths for programs that support Python 2 and 3, and the forward
compatibility window of graphs."""

from __future__ import annotations

import datetime
import numbers
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tinytf._src.exports import tf_export

__all__ = [
    "as_bytes",
    "as_str",
    "as_str_any",
    "as_text",
    "bytes_or_text_types",
    "complex_types",
    "forward_compatibility_horizon",
    "forward_compatible",
    "integral_types",
    "path_to_str",
    "real_types",
]

integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
bytes_or_text_types = (bytes, str)


@tf_export("compat.as_bytes")
def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Encodes text; returns bytes unchanged.

    Args:
      bytes_or_text: str, bytes or bytearray.
      encoding: str, encoding of text.

    Returns:
      bytes.

    Raises:
      TypeError: if `bytes_or_text` has another type.
    """
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@tf_export("compat.as_str", "compat.as_text")
def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Decodes bytes; returns text unchanged.

    Args:
      bytes_or_text: str or bytes.
      encoding: str, encoding of bytes.

    Returns:
      str.

    Raises:
      TypeError: if `bytes_or_text` has another type.
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


@tf_export("compat.as_str_any")
def as_str_any(value: Any) -> str:
    """Converts any value to str: bytes are decoded as UTF-8, other values converted with `str`.

    Args:
      value: any value.

    Returns:
      str.
    """
    return as_str(value) if isinstance(value, bytes) else str(value)


@tf_export("compat.path_to_str")
def path_to_str(path: Any) -> Any:
    """Converts a path object to str.

    Args:
      path: `os.PathLike` object; any other value is returned unchanged.
    """
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path


_HORIZON = datetime.date(2019, 8, 21)  # TensorFlow 1.15's date
_DELTA_DAYS = int(os.environ.get("TF_FORWARD_COMPATIBILITY_DELTA_DAYS") or 0)
_horizon: datetime.date | None = None


@tf_export("compat.forward_compatible")
def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether the forward compatibility window of this date has passed, so that graphs may use newer features.

    The reference date is that of TensorFlow 1.15, shifted by the number of days in the environment variable
    TF_FORWARD_COMPATIBILITY_DELTA_DAYS, which is read when this module is imported.

    Args:
      year: int.
      month: int.
      day: int.

    Returns:
      bool, True if the date lies before the reference date.
    """
    # Compares tuples instead of dates, because programs pass dates that do not exist.
    here = _horizon or _HORIZON + datetime.timedelta(days=_DELTA_DAYS)
    return (here.year, here.month, here.day) > (year, month, day)


@tf_export("compat.forward_compatibility_horizon")
@contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Context manager that sets the reference date of `forward_compatible`, for the whole process.

    Args:
      year: int.
      month: int.
      day: int.

    Raises:
      ValueError: if there is no such date.
    """
    global _horizon
    _horizon = datetime.date(year, month, day)
    try:
        yield
    finally:
        _horizon = None


tf_export("compat.*").constants(__name__, "bytes_or_text_types", "complex_types", "integral_types", "real_types")
