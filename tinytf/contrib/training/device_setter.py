"""Parameter servers for variables: the `ps_strategy` of `tf.train.replica_device_setter`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

import tinytf as tf

__all__ = ["GreedyLoadBalancingStrategy", "RandomStrategy", "byte_size_load_fn"]


class RandomStrategy:
    """Chooses the server of an operation by its name: the same in each run, and in all processes.

    Args:
      num_ps_tasks: how many servers there are.
      seed: another number, another choice.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0) -> None:
        self._num_tasks = num_ps_tasks
        self._seed = seed

    def __call__(self, op: Any) -> int:
        """The server's number."""
        text = f"{op.name}_{int(self._seed)}"
        return int(int(hashlib.md5(text.encode()).hexdigest(), 16) % self._num_tasks)


class GreedyLoadBalancingStrategy:
    """Chooses the server that has the least load so far, the first of several, and adds the load of the operation to it.

    Args:
      num_tasks: how many servers there are.
      load_fn: the load of an operation, a number; `byte_size_load_fn` for example.
    """

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], Any]) -> None:
        self._num_tasks = num_tasks
        self._load_fn = load_fn
        self._ps_loads = np.zeros(num_tasks)

    def __call__(self, op: Any) -> Any:
        """The server's number."""
        task = np.argmin(self._ps_loads)
        self._ps_loads[task] += self._load_fn(op)
        return task


def byte_size_load_fn(op: Any) -> int:
    """How many bytes the output of an operation takes, a variable's for example. ValueError if it has not one output, or one
    whose shape neither the graph nor the attr `shape` tells."""
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    (output,) = op.outputs
    shape = output.get_shape()
    if not shape.is_fully_defined():
        shape = tf.TensorShape(op.get_attr("shape"))
    shape.assert_is_fully_defined()
    return shape.num_elements() * output.dtype.size
