"""Telling protobuf messages apart without importing protobuf."""

from __future__ import annotations

from typing import Any


def is_message(value: Any, name: str) -> bool:
    """Whether `value` is a `tensorflow.<name>` message, of this package's pool or of any other."""
    descriptor = getattr(type(value), "DESCRIPTOR", None)
    return getattr(descriptor, "full_name", None) == f"tensorflow.{name}"
