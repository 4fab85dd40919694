"""Results of `tf.gradients` for an x that no y depends on."""

from __future__ import annotations

import enum
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.values import dtypes
from tinytf._src.ops import array_ops


@tf_export("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """Whether `tf.gradients` returns None (NONE) or zeros (ZERO) for an x that no y depends on."""

    NONE = "none"
    ZERO = "zero"


def zero_gradients(x: Any) -> Any:
    """Zeros like a tensor or variable, or like the variable behind a handle in a graph."""
    if hasattr(x, "handle"):
        return array_ops.zeros(x.shape, x.dtype)
    if x.dtype == dtypes.resource:
        from tinytf._src.gradients.state_grad import variable_shape

        return array_ops.zeros(variable_shape(x), dtypes.as_dtype(x.graph._core.handle_info(x._key)[0]))
    return array_ops.zeros_like(x, dtype=x.dtype.base_dtype)
