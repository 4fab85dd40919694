"""`TensorShape`: what is known of a tensor's shape before it exists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tinytf import protos
from tinytf.exports import tf_export
from tinytf.framework.dimension import Dimension, as_dimension, dimension_value
from tinytf.framework.error_traceback import called_by_users

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

# Whether shapes hand out ints (TensorFlow 2) rather than `Dimension`s.
_v2_behavior = False


@tf_export("enable_v2_tensorshape")
def enable_v2_tensorshape() -> None:
    """From now on `shape[i]`, iteration and `repr` give ints and None instead of `Dimension`s."""
    global _v2_behavior
    _v2_behavior = True


@tf_export("disable_v2_tensorshape")
def disable_v2_tensorshape() -> None:
    """Back to `Dimension`s, as TensorFlow 1 has it."""
    global _v2_behavior
    _v2_behavior = False


@tf_export("TensorShape")
class TensorShape:
    """A shape that may be partly or wholly unknown. Immutable; safe to share between threads.

    `dims` is None (rank unknown), an iterable of ints, None and `Dimension`s, one such value (rank 1), a
    `TensorShape`, or a `TensorShapeProto`. Raises TypeError for text, ValueError for negative extents.
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
        elif hasattr(dims, "unknown_rank"):  # a TensorShapeProto, whichever descriptor pool made its class
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
        """The shape of a tuple of ints >= 0 and None (or of None), unchecked: for the hot path of graph building."""
        shape = _new(TensorShape)
        shape._dims = dims
        return shape

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None when unknown."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    @property
    def dims(self) -> list[Dimension] | None:
        """A new list of `Dimension`s, or None when the rank is unknown."""
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def as_list(self) -> list[int | None]:
        """A list of ints and None. Raises ValueError when the rank is unknown."""
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def as_proto(self) -> Any:
        """The shape as a `TensorShapeProto`; unknown dimensions become -1."""
        if self._dims is None:
            return protos.TensorShapeProto(unknown_rank=True)
        return protos.TensorShapeProto(dim=[{"size": -1 if d is None else d} for d in self._dims])

    def num_elements(self) -> int | None:
        """The product of all dimensions, or None unless the shape is fully defined."""
        if self._dims is None:
            return None
        size = 1
        for d in self._dims:
            if d is None:
                return None
            size *= d
        return size

    def is_fully_defined(self) -> bool:
        """Whether the rank and every dimension are known."""
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless the rank and every dimension are known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether some full shape fits both this shape and `other`."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        if len(self._dims) != len(other._dims):
            return False
        return all(a == b or a is None or b is None for a, b in zip(self._dims, other._dims, strict=True))

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless some full shape fits both."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """What is known from both shapes together. Raises ValueError if they contradict each other."""
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
        """The shape that fits whatever fits this shape or `other`: where they differ, it is unknown."""
        other = as_shape(other)
        if self._dims is None or other._dims is None or len(self._dims) != len(other._dims):
            return unknown_shape()
        common = tuple([a if a == b else None for a, b in zip(self._dims, other._dims, strict=True)])
        return TensorShape._from_tuple(common)

    def concatenate(self, other: Any) -> TensorShape:
        """This shape's dimensions followed by those of `other`; unknown if either rank is."""
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
        """Raises ValueError if the rank is known and is not `rank`."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, or one of `rank` unknown dimensions if its rank is unknown. Raises ValueError if it differs."""
        if self._dims is None:
            return unknown_shape(rank)
        self.assert_has_rank(rank)
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape. Raises ValueError if its rank is known and below `rank`."""
        if self._dims is not None and len(self._dims) < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape. Raises ValueError if its rank is known and above `rank`."""
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
        """`shape[i]` is a `Dimension`, `shape[a:b]` a `TensorShape`; of an unknown shape both are unknown.

        Raises IndexError outside the shape, ValueError for a step on a shape of unknown rank.
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
        if stop is None or start < 0 or stop < 0:  # how many there are depends on the rank
            return unknown_shape()
        return unknown_shape(max(stop - start, 0))

    def __eq__(self, other: Any) -> Any:
        """Whether the shapes are the same and known to be: an unknown dimension equals no other one."""
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
    """`shape` itself if it is a `TensorShape`, else a new one of it (see `TensorShape` for what is accepted)."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def unknown_shape(rank: int | None = None, **kwargs: Any) -> TensorShape:
    """A shape of `rank` unknown dimensions, or of unknown rank. `ndims=` is the old name of the argument."""
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
    """The shape (length,); `length` may be None or a `Dimension`."""
    return TensorShape([length])


def matrix(rows: Any, cols: Any) -> TensorShape:
    """The shape (rows, cols); each may be None or a `Dimension`."""
    return TensorShape([rows, cols])


@tf_export("dimension_at_index")
@called_by_users
def dimension_at_index(shape: Any, index: int) -> Dimension:
    """Dimension `index` of `shape`; unknown if the rank is. Raises IndexError outside the shape."""
    shape = as_shape(shape)
    return Dimension(None if shape._dims is None else shape._dims[index])
