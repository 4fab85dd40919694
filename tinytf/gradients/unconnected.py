"""What `tf.gradients` answers for an x that no y depends on."""

from __future__ import annotations

import enum
from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework import dtypes


class UnconnectedGradients(enum.Enum):
    """None, or zeros shaped like the x."""

    NONE = "none"
    ZERO = "zero"


def zero_gradients(x: Any) -> Any:
    """Zeros shaped like a tensor or variable, or like the variable that a handle in a graph stands for."""
    if hasattr(x, "handle"):
        from tinytf.ops import array_ops

        return array_ops.zeros(x.shape, x.dtype)
    if x.dtype == dtypes.resource:
        number, shape = x.graph._core.handle_info(x._key)
        from tinytf.ops import array_ops

        if shape is not None and None not in shape:
            return array_ops.zeros(list(shape), dtypes.as_dtype(number))
        return array_ops.zeros(gen_ops.variable_shape(x), dtypes.as_dtype(number))
    return gen_ops.zeros_like(x)
