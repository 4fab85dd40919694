"""The tensors of one example of a sequence queue, with the checks that are possible at graph construction."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.contrib.training.checked_shapes import with_rank


def check_names(values: dict[Any, Any], what: str, are: str) -> None:
    """Raises TypeError for names that are not strings, and ValueError for names with a colon."""
    for name in values:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be {are}: {name}")
        if ":" in name:
            raise ValueError(f"{what} may not have a colon: '{name}'")


class SequenceInputs:
    """The tensors of an example, sorted by name within each kind.

    Args:
      length: int32 scalar.
      key: string scalar.
      sequences: non-empty dict of tensors; their first dimension is time, the others are static.
      context: dict of tensors with static shapes.
      states: dict of tensors with static shapes.

    Raises:
      TypeError: if `length` or `key` has another dtype, or `sequences` or `context` is not a dict.
      ValueError: if shapes are not static or there are no sequences.
    """

    def __init__(self, length: Any, key: Any, sequences: Any, context: Any, states: dict[str, Any]) -> None:
        length = tf.convert_to_tensor(length, name="length")
        key = tf.convert_to_tensor(key, name="key")
        for name, values in ("sequences", sequences), ("context", context):
            if not isinstance(values, dict):
                raise TypeError(f"{name} must be a dict")
        if not sequences:
            raise ValueError("must have at least one sequence tensor")
        check_names(sequences, "sequence key", "string")
        check_names(context, "context key", "string")
        sequences = _converted(sequences, "sequence")
        context = _converted(context, "context")
        states = _converted(states, "state")
        _check_known("state", states)
        _check_known("context", context)
        _check_known("sequence", sequences, 1, "(ignoring first dimension)")
        self.sequences = dict(sorted(sequences.items()))
        self.context = dict(sorted(context.items()))
        self.states = dict(sorted(states.items()))
        self.length = with_rank(length, 0)
        self.key = with_rank(key, 0)
        for name, tensor, dtype in ("length", self.length, tf.int32), ("key", self.key, tf.string):
            if tensor.dtype != dtype:
                raise TypeError(f"{name} dtype must be {dtype.name}, but received: {tensor.dtype}")


def _converted(values: dict[str, Any], kind: str) -> dict[str, tf.Tensor]:
    return {name: tf.convert_to_tensor(value, name=f"{kind}_{name}") for name, value in values.items()}


def _check_known(kind: str, values: dict[str, tf.Tensor], begin: int = 0, but: str = "") -> None:
    for name, value in values.items():
        if not value.get_shape()[begin:].is_fully_defined():
            raise ValueError(f"Shape for {kind} {name} is not fully defined {but}: {value.get_shape()}")
