"""Placement of variables on parameter servers: values of `ps_strategy` for `tf.train.replica_device_setter`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

import tinytf as tf

__all__ = ["GreedyLoadBalancingStrategy", "RandomStrategy", "byte_size_load_fn"]


class RandomStrategy:
    """Chooses the server by a hash of the operation's name, equally in all runs and processes.

    Args:
      num_ps_tasks: int, number of servers.
      seed: int, part of the hash.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks = num_ps_tasks
        self._seed = seed

    def __call__(self, op: Any) -> int:
        """Returns the number of the server for an operation."""
        text = f"{op.name}_{int(self._seed)}"
        return int(int(hashlib.md5(text.encode()).hexdigest(), 16) % self._num_tasks)


class GreedyLoadBalancingStrategy:
    """Chooses the server with the smallest load so far and adds the load of the operation to it; ties go to the first
    one.

    Args:
      num_tasks: int, number of servers.
      load_fn: function from an operation to its load, a number, such as `byte_size_load_fn`.
    """

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], Any]) -> None:
        self._num_tasks = num_tasks
        self._load_fn = load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> Any:
        """Returns the number of the server for an operation."""
        task = np.argmin(self._ps_loads)
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op: Any) -> int:
    """Returns the size in bytes of an operation's only output, such as a variable.

    Raises:
      ValueError: if there are several outputs, or neither the output nor the attr `shape` has a static shape.
    """
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    (output,) = op.outputs
    shape = output.get_shape()
    if not shape.is_fully_defined():
        shape = tf.TensorShape(op.get_attr("shape"))
    shape.assert_is_fully_defined()
    return shape.num_elements() * output.dtype.size
