"""What `==` of tensors means in rewritten code."""

from __future__ import annotations

_by_value = False


def compare_by_value(by_value: bool) -> None:
    """Whether `==` and `!=` compare tensors by value from now on, in code that is not asked for it, too."""
    global _by_value
    _by_value = by_value


def compares_by_value() -> bool:
    """Whether they do."""
    return _by_value
