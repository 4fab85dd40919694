"""The process-wide meaning of `==` on tensors in rewritten code."""

from __future__ import annotations

_by_value = False


def compare_by_value(by_value: bool) -> None:
    """Sets whether `==` and `!=` compare tensors by value, even in code converted without `EQUALITY_OPERATORS`."""
    global _by_value
    _by_value = by_value


def compares_by_value() -> bool:
    """Whether they compare by value."""
    return _by_value
