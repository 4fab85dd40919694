"""`Dimension`: one extent of a shape, an int or unknown, with arithmetic that keeps "unknown" unknown."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.numpy_compat import only_element
from tinytf._src.framework.values.tensor_like import is_eager_tensor


@tf_export("Dimension")
class Dimension:
    """One dimension of a `TensorShape`. Immutable.

    Arithmetic with an unknown dimension yields an unknown one; comparisons with it yield None.

    Args:
      value: int >= 0, a Dimension, or None for an unknown dimension.

    Raises:
      ValueError: if `value` is negative or not a whole number.
      TypeError: if `value` is not a number.
    """

    __slots__ = ("_value", "__weakref__", "__dict__")

    _value: int | None

    def __init__(self, value: Any) -> None:
        if value is None or value.__class__ is int:
            self._value = value
        elif isinstance(value, Dimension):
            self._value = value._value
        elif isinstance(value, dtypes.DType):
            raise TypeError(f"Cannot convert {value} to Dimension")
        else:
            self._value = int(only_element(value))
            if not (isinstance(value, (str, bytes)) or is_eager_tensor(value)) and self._value != value:
                raise ValueError(f"Ambiguous dimension: {value}")
        if self._value is not None and self._value < 0:
            raise ValueError(f"Dimension {self._value} must be >= 0")

    @property
    def value(self) -> int | None:
        """The size as int, or None if unknown."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Whether both dimensions are equal or at least one is unknown.

        Args:
          other: Dimension, int or None.
        """
        other = as_dimension(other)
        return self._value == other._value or self._value is None or other._value is None

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless both dimensions are equal or at least one is unknown."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """Combines two compatible dimensions.

        Args:
          other: Dimension, int or None.

        Returns:
          The known Dimension of the two; unknown if both are.

        Raises:
          ValueError: if both are known and differ.
        """
        other = as_dimension(other)
        self.assert_is_compatible_with(other)
        return Dimension(other._value if self._value is None else self._value)

    def __repr__(self) -> str:
        return f"Dimension({self._value!r})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __int__(self) -> Any:
        return self._value

    def __index__(self) -> Any:
        return self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Dimension, (self._value,)

    def __eq__(self, other: Any) -> Any:
        pair = self._values_with(other)
        return pair if pair is None or pair is NotImplemented else pair[0] == pair[1]

    def __ne__(self, other: Any) -> Any:
        pair = self._values_with(other)
        return pair if pair is None or pair is NotImplemented else pair[0] != pair[1]

    def __lt__(self, other: Any) -> Any:
        pair = _known(self._value, as_dimension(other)._value)
        return None if pair is None else pair[0] < pair[1]

    def __le__(self, other: Any) -> Any:
        pair = _known(self._value, as_dimension(other)._value)
        return None if pair is None else pair[0] <= pair[1]

    def __gt__(self, other: Any) -> Any:
        pair = _known(self._value, as_dimension(other)._value)
        return None if pair is None else pair[0] > pair[1]

    def __ge__(self, other: Any) -> Any:
        pair = _known(self._value, as_dimension(other)._value)
        return None if pair is None else pair[0] >= pair[1]

    def __add__(self, other: Any) -> Any:
        pair = self._values_with(other)
        return _UNKNOWN if pair is None else pair if pair is NotImplemented else Dimension(pair[0] + pair[1])

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        pair = self._values_with(other)
        return _UNKNOWN if pair is None else pair if pair is NotImplemented else Dimension(pair[0] - pair[1])

    def __rsub__(self, other: Any) -> Any:
        return as_dimension(other).__sub__(self)

    def __mul__(self, other: Any) -> Any:
        pair = self._values_with(other)
        return _UNKNOWN if pair is None else pair if pair is NotImplemented else Dimension(pair[0] * pair[1])

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        pair = self._values_with(other)
        return _UNKNOWN if pair is None else pair if pair is NotImplemented else Dimension(pair[0] // pair[1])

    def __rfloordiv__(self, other: Any) -> Any:
        return as_dimension(other).__floordiv__(self)

    def __mod__(self, other: Any) -> Any:
        pair = _known(self._value, as_dimension(other)._value)
        return _UNKNOWN if pair is None else Dimension(pair[0] % pair[1])

    def __rmod__(self, other: Any) -> Any:
        return as_dimension(other).__mod__(self)

    def __truediv__(self, other: Any) -> Any:
        raise TypeError(
            f"unsupported operand type(s) for /: 'Dimension' and '{type(other).__name__}', please use // instead"
        )

    def __rtruediv__(self, other: Any) -> Any:
        raise TypeError(
            f"unsupported operand type(s) for /: '{type(other).__name__}' and 'Dimension', please use // instead"
        )

    def _values_with(self, other: Any) -> Any:
        """Both values; None if one is unknown; NotImplemented if `other` is not a dimension."""
        try:
            return _known(self._value, as_dimension(other)._value)
        except (TypeError, ValueError):
            return NotImplemented


_UNKNOWN = Dimension(None)


def _known(a: int | None, b: int | None) -> tuple[int, int] | None:
    return None if a is None or b is None else (a, b)


def as_dimension(value: Any) -> Dimension:
    """`value` itself if it is a `Dimension`, else a new one from it."""
    return value if isinstance(value, Dimension) else Dimension(value)


@tf_export("dimension_value")
def dimension_value(dimension: Any) -> Any:
    """The size of a `Dimension`; for code that handles TensorFlow 1 and 2 behavior of shapes.

    Args:
      dimension: Dimension, int or None.

    Returns:
      int or None; values other than Dimensions are returned unchanged.
    """
    return dimension._value if isinstance(dimension, Dimension) else dimension
