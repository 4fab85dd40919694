"""Names of types in messages about nodes."""

from __future__ import annotations

from tinytf._src.framework.values import dtypes

_SHORT = {"float32": "float", "float64": "double", "float16": "half"}


def type_text(number: int) -> str:
    """The name of a type, for example "float" or "int32_ref"."""
    dtype = dtypes.as_dtype(number)
    base = dtype.base_dtype.name
    return _SHORT.get(base, base) + ("_ref" if dtype._is_ref_dtype else "")
