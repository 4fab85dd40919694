"""Which values make a branch or a loop one of the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf.framework.composite import is_composite
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.tensor import Tensor
from tinytf.ops.control_flow.tensor_arrays import is_tensor_array

_PLAIN = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


def is_dense(value: Any) -> bool:
    """Whether it is a tensor or a variable. Of other objects nothing is asked: they may be any."""
    return isinstance(value, Tensor) or getattr(type(value), "_is_dense_tensor_like", False) is True


def is_staged(value: Any) -> bool:
    """Whether a value is known only when the graph runs: a tensor or a variable, where graphs are built."""
    return is_dense(value) and not executing_eagerly()


def becomes_tensor(value: Any) -> bool:
    """Whether a value goes through branches and loops as a tensor, or several."""
    return isinstance(value, _PLAIN) or is_dense(value) or is_composite(value) or is_tensor_array(value)


def as_tensor(value: Any) -> Any:
    """The value as a tensor, if it is not one, or several, already."""
    if isinstance(value, Tensor) or is_composite(value) or is_tensor_array(value):
        return value
    return convert_to_tensor(value)
