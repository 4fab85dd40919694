"""`tf.compat`: conversions between text, bytes and paths, as TensorFlow's Python 2 and 3 programs use them; and the date
until which readers of graphs are thought to be up to date."""

from __future__ import annotations

import datetime
import numbers
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tinytf.exports import tf_export

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
    """Text encoded; bytes as they are. TypeError for anything else."""
    if isinstance(bytes_or_text, bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@tf_export("compat.as_str", "compat.as_text")
def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Bytes decoded; text as it is. TypeError for anything else."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


@tf_export("compat.as_str_any")
def as_str_any(value: Any) -> str:
    """Bytes decoded, anything else by str()."""
    return as_str(value) if isinstance(value, bytes) else str(value)


@tf_export("compat.path_to_str")
def path_to_str(path: Any) -> Any:
    """Path objects as text; anything else as it is."""
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path


_HORIZON = datetime.date(2019, 8, 21)  # that of TensorFlow 1.15
_DELTA_DAYS = int(os.environ.get("TF_FORWARD_COMPATIBILITY_DELTA_DAYS") or 0)
_horizon: datetime.date | None = None


@tf_export("compat.forward_compatible")
def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether graphs may hold what readers know that were built after this day: False from TensorFlow 1.15's day on.

    The environment variable TF_FORWARD_COMPATIBILITY_DELTA_DAYS, as it was when this module was imported, moves that day.
    """
    # Not a date: programs ask for days that do not exist.
    here = _horizon or _HORIZON + datetime.timedelta(days=_DELTA_DAYS)
    return (here.year, here.month, here.day) > (year, month, day)


@tf_export("compat.forward_compatibility_horizon")
@contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """In the body the day of `forward_compatible` is this one. Holds for the process. ValueError for no such day."""
    global _horizon
    _horizon = datetime.date(year, month, day)
    try:
        yield
    finally:
        _horizon = None


tf_export("compat.*").constants(__name__, "bytes_or_text_types", "complex_types", "integral_types", "real_types")
