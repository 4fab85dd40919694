"""Determines the tensors through which gradients flow."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.values import dtypes

_TRAINABLE = frozenset(
    t.as_datatype_enum
    for t in (
        dtypes.float16,
        dtypes.float32,
        dtypes.float64,
        dtypes.complex64,
        dtypes.complex128,
        dtypes.resource,
        dtypes.variant,
        dtypes.bfloat16,
    )
)


def is_trainable(tensor_or_dtype: Any) -> bool:
    """Whether gradients flow through tensors of this type: floating-point, complex, resource and variant types."""
    dtype = tensor_or_dtype if isinstance(tensor_or_dtype, dtypes.DType) else tensor_or_dtype.dtype
    return dtype.base_dtype.as_datatype_enum in _TRAINABLE
