"""`TensorShape`: the static shape of a tensor, which may be partly unknown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.values.dimension import Dimension, as_dimension, dimension_value

__all__ = [
    "Dimension",
    "TensorShape",
    "as_dimension",
    "as_shape",
    "dimension_at_index",
    "dimension_value",
    "disable_v2_tensorshape",
    "enable_v2_tensorshape",
    "matrix",
    "scalar",
    "unknown_shape",
    "vector",
]

Extents = tuple["int | None", ...]

# Whether shapes consist of ints (as in TensorFlow 2) instead of `Dimension`s.
_v2_behavior = False


@tf_export("enable_v2_tensorshape")
def enable_v2_tensorshape() -> None:
    """Makes items of a TensorShape ints or None instead of `Dimension`s, for the whole process."""
    global _v2_behavior
    _v2_behavior = True


@tf_export("disable_v2_tensorshape")
def disable_v2_tensorshape() -> None:
    """Makes items of a TensorShape `Dimension`s, the default, for the whole process."""
    global _v2_behavior
    _v2_behavior = False


@tf_export("TensorShape")
class TensorShape:
    """The static shape of a tensor: unknown, partly known or fully defined. Immutable and thread-safe.

    Args:
      dims: None (unknown rank), an iterable of ints, Dimensions and None (unknown size), a single int or Dimension
        (rank 1), a TensorShape or a `TensorShapeProto`.

    Raises:
      TypeError: if `dims` is a string, or an item is not a number.
      ValueError: for negative sizes.
    """

    __slots__ = ("_dims", "__weakref__", "__dict__")

    _dims: Extents | None

    def __init__(self, dims: Any) -> None:
        if dims is None:
            self._dims = None
        elif isinstance(dims, TensorShape):
            self._dims = dims._dims
        elif isinstance(dims, (str, bytes)):
            raise TypeError(f"A string has ambiguous TensorShape, please wrap in a list or convert to an int: {dims!s}")
        elif hasattr(dims, "unknown_rank"):  # a TensorShapeProto of any descriptor pool
            self._dims = None if dims.unknown_rank else tuple(d.size if d.size != -1 else None for d in dims.dim)
        else:
            try:
                extents = iter(dims)
            except TypeError:
                extents = iter((dims,))
            self._dims = tuple(
                [d if d is None or (d.__class__ is int and d >= 0) else Dimension(d)._value for d in extents]
            )

    @staticmethod
    def _from_tuple(dims: Extents | None) -> TensorShape:
        """A shape from a tuple of ints >= 0 and None (or from None), without checks, for speed."""
        shape = _new(TensorShape)
        shape._dims = dims
        return shape

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if unknown."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self) -> list[Dimension] | None:
        """A new list of `Dimension`s, or None if the rank is unknown."""
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def as_list(self) -> list[int | None]:
        """The sizes as a list of ints, with None for unknown ones. Raises ValueError if the rank is unknown."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def as_proto(self) -> Any:
        """The shape as a `TensorShapeProto`; unknown sizes become -1."""
        if self._dims is None:
            return protos.TensorShapeProto(unknown_rank=True)
        return protos.TensorShapeProto(dim=[{"size": -1 if d is None else d} for d in self._dims])

    def num_elements(self) -> int | None:
        """The product of all sizes as int, or None unless the shape is fully defined."""
        if self._dims is None:
            return None
        size = 1
        for d in self._dims:
            if d is None:
                return None
            size *= d
        return size

    def is_fully_defined(self) -> bool:
        """Whether the rank and all sizes are known."""
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless the rank and all sizes are known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a fully defined shape exists that matches both this shape and `other`."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        if len(self._dims) != len(other._dims):
            return False
        return all(a == b or a is None or b is None for a, b in zip(self._dims, other._dims, strict=True))

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless this shape and `other` are compatible."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """The combination of the known sizes of both shapes. Raises ValueError if they are incompatible."""
        other = as_shape(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        merged = tuple([b if a is None else a for a, b in zip(self._dims, other._dims, strict=True)])
        return TensorShape._from_tuple(merged)

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The most specific shape that is compatible with both; sizes in which they differ are unknown."""
        other = as_shape(other)
        if self._dims is None or other._dims is None or len(self._dims) != len(other._dims):
            return unknown_shape()
        common = tuple([a if a == b else None for a, b in zip(self._dims, other._dims, strict=True)])
        return TensorShape._from_tuple(common)

    def concatenate(self, other: Any) -> TensorShape:
        """The dimensions of this shape followed by the dimensions of `other`; unknown if either rank is."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return unknown_shape()
        return TensorShape._from_tuple(self._dims + other._dims)

    __concat__ = __add__ = concatenate

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def assert_same_rank(self, other: Any) -> None:
        """Raises ValueError if both ranks are known and differ."""
        other = as_shape(other)
        if self._dims is not None and other._dims is not None and len(self._dims) != len(other._dims):
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def assert_has_rank(self, rank: int) -> None:
        """Raises ValueError if the rank is known and differs from `rank`."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, or one with `rank` unknown sizes if its rank is unknown. Raises ValueError if its rank
        differs."""
        if self._dims is None:
            return unknown_shape(rank)
        self.assert_has_rank(rank)
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Returns this shape. Raises ValueError if its rank is known and less than `rank`."""
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Returns this shape. Raises ValueError if its rank is known and greater than `rank`."""
        if self._dims is not None and len(self._dims) > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    __nonzero__ = __bool__

    def __iter__(self) -> Iterator[Any]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims if _v2_behavior else [Dimension(d) for d in self._dims])

    def __getitem__(self, key: Any) -> Any:
        """`shape[i]` is a `Dimension`, `shape[a:b]` a `TensorShape`; both are unknown if the rank is.

        Raises IndexError for an index out of range, ValueError for a step if the rank is unknown.
        """
        if self._dims is not None:
            if isinstance(key, slice):
                return TensorShape._from_tuple(self._dims[key])
            extent = self._dims[key]
            return extent if _v2_behavior else Dimension(extent)
        if not isinstance(key, slice):
            return None if _v2_behavior else Dimension(None)
        start, stop = key.start or 0, key.stop
        if key.step is not None:
            raise ValueError("Steps are not yet handled")
        if stop is None or start < 0 or stop < 0:  # the number of dimensions depends on the rank
            return unknown_shape()
        return unknown_shape(max(stop - start, 0))

    def __eq__(self, other: Any) -> Any:
        """Whether the shapes are known to be equal: an unknown size equals no other one."""
        try:
            other = as_shape(other)
        except TypeError:
            return NotImplemented
        return self is other or (self._dims == other._dims and (self._dims is None or None not in self._dims))

    def __ne__(self, other: Any) -> Any:
        """The opposite of `==`. Raises ValueError if either rank is unknown."""
        try:
            other = as_shape(other)
        except TypeError:
            return NotImplemented
        if self._dims is None or other._dims is None:
            raise ValueError("The inequality of unknown TensorShapes is undefined.")
        return not self.__eq__(other)

    def __hash__(self) -> int:
        return hash(self._dims)

    def __str__(self) -> str:
        if self._dims is None:
            return "<unknown>"
        unknown = "None" if _v2_behavior else "?"
        inner = ", ".join([unknown if d is None else str(d) for d in self._dims])
        return f"({inner},)" if len(self._dims) == 1 else f"({inner})"

    def __repr__(self) -> str:
        dims: Any = self._dims
        if dims is not None:
            dims = list(dims) if _v2_behavior else self.dims
        return f"TensorShape({dims!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self.dims,)


_new = object.__new__


def as_shape(shape: Any) -> TensorShape:
    """`shape` itself if it is a `TensorShape`, else a new one (see `TensorShape` for accepted values)."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(rank: int | None = None, **kwargs: Any) -> TensorShape:
    """A shape with `rank` unknown sizes, or of unknown rank if that is None. `ndims=` is the argument's old name."""
    if rank is None and "ndims" in kwargs:
        rank = kwargs.pop("ndims")
    if kwargs:
        raise TypeError(f"Unknown argument: {kwargs}")
    return TensorShape._from_tuple(None if rank is None else (None,) * rank)


_SCALAR = TensorShape([])


def scalar() -> TensorShape:
    """The shape ()."""
    return _SCALAR


def vector(length: Any) -> TensorShape:
    """The shape (length,); `length` is an int, a `Dimension`, or None."""
    return TensorShape([length])


def matrix(rows: Any, cols: Any) -> TensorShape:
    """The shape (rows, cols); both are ints, `Dimension`s, or None."""
    return TensorShape([rows, cols])


@tf_export("dimension_at_index")
@called_by_users
def dimension_at_index(shape: Any, index: int) -> Dimension:
    """A dimension of a shape; unknown if the rank is.

    Args:
      shape: TensorShape or a value that it accepts.
      index: int, may be negative.

    Returns:
      Dimension.

    Raises:
      IndexError: if the index is out of range.
    """
    shape = as_shape(shape)
    return Dimension(None if shape._dims is None else shape._dims[index])
