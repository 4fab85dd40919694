"""Static shapes under broadcasting."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape


def broadcast_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that results from broadcasting two static shapes. Raises ValueError if they are incompatible."""
    x, y = as_shape(shape_x), as_shape(shape_y)
    if x.ndims is None or y.ndims is None:
        return TensorShape(None)
    length = max(x.ndims, y.ndims)
    a, b = [[*([1] * (length - len(s))), *s] for s in (x.as_list(), y.as_list())]
    result: list[int | None] = []
    for left, right in zip(a, b, strict=True):
        if left == 1 or right == 1:
            result.append(right if left == 1 else left)
        elif left is None or right is None:
            result.append(left if right is None else right)
        elif left == right:
            result.append(left)
        else:
            raise ValueError(f"Incompatible shapes for broadcasting: {shape_x} and {shape_y}")
    return TensorShape(result)
