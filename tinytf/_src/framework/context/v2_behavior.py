"""Whether the program asked for the behavior of TensorFlow 2."""

from __future__ import annotations


class _State:
    enabled = False


def enabled() -> bool:
    """Whether `tf.enable_v2_behavior` was called, and `tf.disable_v2_behavior` was not called since."""
    return _State.enabled


def enable(value: bool) -> None:
    """Sets what `enabled` returns."""
    _State.enabled = value
