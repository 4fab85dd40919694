"""`TensorSpec`: describes a tensor by shape, type and name."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.framework import dtypes
from tinytf._src.framework.broadcasting import broadcast_shape
from tinytf._src.framework.tensor_shape import TensorShape


@tf_export("TensorSpec")
class TensorSpec:
    """Describes tensors by shape and element type. Immutable.

    Args:
      shape: TensorShape or a value that it accepts.
      dtype: element type.
      name: str or None.

    Raises:
      TypeError: if `dtype` is not a type.
    """

    __slots__ = ("_shape", "_dtype", "_name")

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self._shape = TensorShape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """Copies a specification.

        Args:
          spec: TensorSpec.
          name: str, name of the copy; None means the name of `spec`.

        Returns:
          TensorSpec.
        """
        return TensorSpec(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The specification of an existing tensor.

        Args:
          tensor: Tensor.
          name: str; None means the name of the tensor's operation, which only graph tensors have.

        Returns:
          TensorSpec.
        """
        return TensorSpec(tensor.shape, tensor.dtype, name or tensor.op.name)

    @property
    def shape(self) -> TensorShape:
        """The TensorShape."""
        return self._shape

    @property
    def dtype(self) -> dtypes.DType:
        """The element type, a DType."""
        return self._dtype

    @property
    def name(self) -> str | None:
        """The name, or None."""
        return self._name

    @property
    def is_discrete(self) -> bool:
        """Whether the element type is an integer type."""
        return self._dtype.is_integer

    @property
    def is_continuous(self) -> bool:
        """Whether the element type is a floating-point type."""
        return self._dtype.is_floating

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether the type and shape of a tensor or specification are compatible with this one.

        Args:
          spec_or_tensor: TensorSpec or Tensor.

        Returns:
          bool.
        """
        return self._dtype.is_compatible_with(spec_or_tensor.dtype) and self._shape.is_compatible_with(
            spec_or_tensor.shape
        )

    def most_specific_compatible_type(self, other: TensorSpec) -> TensorSpec:
        """The most specific specification that is compatible with both.

        Args:
          other: TensorSpec.

        Returns:
          TensorSpec.

        Raises:
          ValueError: if the types or names differ.
        """
        if self._dtype != other._dtype or self._name != other._name:
            raise ValueError(f"No TypeSpec is compatible with both {self!r} and {other!r}")
        return TensorSpec(self._shape.most_specific_compatible_shape(other._shape), self._dtype, self._name)

    def _identity(self) -> tuple[Any, ...]:
        return self._shape._dims, self._dtype, self._name

    def __eq__(self, other: Any) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorSpec, (self._shape, self._dtype, self._name)


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
