"""Checkpoint functions of `tf.train` with older argument names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tinytf as tf

__all__ = ["init_from_checkpoint", "list_variables", "load_checkpoint", "load_variable"]


def load_checkpoint(filepattern: str) -> Any:
    """`tf.train.load_checkpoint`."""
    return tf.train.load_checkpoint(filepattern)


def load_variable(checkpoint_dir: str, name: str) -> Any:
    """`tf.train.load_variable`."""
    return tf.train.load_variable(checkpoint_dir, name)


def list_variables(checkpoint_dir: str) -> list[tuple[str, list[int]]]:
    """`tf.train.list_variables`."""
    return tf.train.list_variables(checkpoint_dir)


def init_from_checkpoint(checkpoint_dir: str, assignment_map: Mapping[str, Any]) -> None:
    """`tf.train.init_from_checkpoint`."""
    tf.train.init_from_checkpoint(checkpoint_dir, assignment_map)
