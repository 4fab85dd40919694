"""Predicates on values, which decide whether a branch or a loop becomes part of the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._src.framework.composites.composite import is_composite
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.control_flow.tensor_arrays import is_tensor_array

_PLAIN = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


def is_dense(value: Any) -> bool:
    """Whether a value is a tensor or a variable. Only the type is inspected, because attributes of other objects may
    have effects."""
    return isinstance(value, Tensor) or getattr(type(value), "_is_dense_tensor_like", False) is True


def is_staged(value: Any) -> bool:
    """Whether a value is known only when the graph runs: a tensor or a variable in graph mode."""
    return is_dense(value) and not executing_eagerly()


def becomes_tensor(value: Any) -> bool:
    """Whether a value passes through branches and loops as one or more tensors."""
    return isinstance(value, _PLAIN) or is_dense(value) or is_composite(value) or is_tensor_array(value)


def as_tensor(value: Any) -> Any:
    """Converts the value to a tensor; tensors, composite tensors and TensorArrays are returned unchanged."""
    if isinstance(value, Tensor) or is_composite(value) or is_tensor_array(value):
        return value
    return convert_to_tensor(value)
