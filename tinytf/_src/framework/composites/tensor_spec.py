"""`BoundedTensorSpec`: describes a tensor by shape, type, name and bounds of its elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.values.broadcasting import broadcast_shape
from tinytf._src.framework.values.tensor_shape import TensorShape

__all__ = ["BoundedTensorSpec", "TensorSpec"]


class BoundedTensorSpec(TensorSpec):
    """A `TensorSpec` with inclusive bounds of the elements. Raises ValueError for bounds that are None or cannot be
    broadcast with the shape."""

    __slots__ = ("_minimum", "_maximum")

    def __init__(self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: str | None = None) -> None:
        super().__init__(shape, dtype, name)
        if minimum is None or maximum is None:
            raise ValueError(f"minimum and maximum must be provided; but saw '{minimum}' and '{maximum}'")
        for word, bound in ("minimum", minimum), ("maximum", maximum):
            try:
                broadcast_shape(TensorShape(np.shape(bound)), self._shape)
            except ValueError as error:
                raise ValueError(f"{word} is not compatible with shape. Message: {error!r}.") from None
        self._minimum, self._maximum = self._bound(minimum), self._bound(maximum)

    def _bound(self, bound: Any) -> np.ndarray:
        array = np.array(bound, self._dtype.as_numpy_dtype)
        array.setflags(write=False)
        return array

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> BoundedTensorSpec:
        """A copy of `spec` with its bounds, or with the limits of its type if it has none."""
        limits = spec.dtype
        low, high = getattr(spec, "minimum", limits.min), getattr(spec, "maximum", limits.max)
        return cls(spec.shape, spec.dtype, low, high, name or spec.name)

    @property
    def minimum(self) -> np.ndarray:
        """The lower bounds, a read-only array that can be broadcast to the shape."""
        return self._minimum

    @property
    def maximum(self) -> np.ndarray:
        """The upper bounds, a read-only array that can be broadcast to the shape."""
        return self._maximum

    def __eq__(self, other: Any) -> bool:
        return super().__eq__(other) and all(map(_all_close, self._bounds(), other._bounds()))

    __hash__ = TensorSpec.__hash__  # ignores the bounds, because bounds that are close are equal

    def _bounds(self) -> tuple[np.ndarray, np.ndarray]:
        return self._minimum, self._maximum

    def __repr__(self) -> str:
        return (
            f"BoundedTensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r}, "
            f"minimum={self._minimum!r}, maximum={self._maximum!r})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return BoundedTensorSpec, (self._shape, self._dtype, self._minimum, self._maximum, self._name)


def _all_close(a: np.ndarray, b: np.ndarray) -> bool:
    try:
        return np.allclose(a, b)
    except ValueError:
        return False  # cannot be broadcast
