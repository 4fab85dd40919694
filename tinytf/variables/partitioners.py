"""How variables are cut into partitions: functions that choose the number of pieces, and what they lead to."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.tensor_shape import TensorShape

Partitioner = Callable[..., list[int]]


@tf_export("fixed_size_partitioner")
def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """A partitioner that cuts variables into `num_shards` pieces along `axis`, or fewer if that axis is shorter."""

    def partitioner(shape: TensorShape, **unused: Any) -> list[int]:
        return _along(axis, shape, min(num_shards, _extent(shape, axis)))

    return partitioner


@tf_export("variable_axis_size_partitioner")
def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None
) -> Partitioner:
    """A partitioner that cuts along `axis` so that no piece is larger than `max_shard_bytes`, if one slice is not.

    Args:
      bytes_per_string_element: what a string counts.
      max_shards: at most so many pieces, however large they get.

    ValueError for sizes that are not positive; the partitioner raises it for a shape that is not known or no TensorShape,
    and for a dtype that is no DType.
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError(
            "Both max_shard_bytes and bytes_per_string_element must be positive. Currently, max_shard_bytes is "
            f"{max_shard_bytes} and bytes_per_string_element is {bytes_per_string_element}"
        )
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape: TensorShape, dtype: Any) -> list[int]:
        element = _element_bytes(shape, dtype, bytes_per_string_element)
        extent = _extent(shape, axis)
        slice_bytes = element * math.prod(_sizes(shape)) // extent if extent else 0
        slices = max(1, max_shard_bytes // slice_bytes) if slice_bytes else max(1, extent)
        shards = max(1, -(-extent // slices))
        return _along(axis, shape, min(max_shards, shards) if max_shards else shards)

    return partitioner


@tf_export("min_max_variable_partitioner")
def min_max_variable_partitioner(
    max_partitions: int = 1, axis: int = 0, min_slice_size: int = 256 << 10, bytes_per_string_element: int = 16
) -> Partitioner:
    """A partitioner that cuts along `axis` into at most `max_partitions` pieces of at least `min_slice_size` bytes.

    Args:
      bytes_per_string_element: what a string counts.

    The partitioner raises ValueError for an `axis` that the shape does not have, for a shape that is not known or no
    TensorShape, and for a dtype that is no DType.
    """

    def partitioner(shape: TensorShape, dtype: Any) -> list[int]:
        element = _element_bytes(shape, dtype, bytes_per_string_element)
        if axis >= len(_sizes(shape)):
            raise ValueError(f"Cannot partition variable along axis {axis} when shape is only {shape}")
        wanted = math.ceil(element * math.prod(_sizes(shape)) / min_slice_size)
        return _along(axis, shape, max(1, min(_extent(shape, axis), max_partitions, wanted)))

    return partitioner


def _sizes(shape: TensorShape) -> list[int]:
    return [int(size) for size in shape.as_list()]  # type: ignore[arg-type]


def _extent(shape: TensorShape, axis: int) -> int:
    return _sizes(shape)[axis]


def _along(axis: int, shape: TensorShape, count: int) -> list[int]:
    counts = [1] * len(_sizes(shape))
    counts[axis] = count
    return counts


def _element_bytes(shape: Any, dtype: Any, bytes_per_string_element: int) -> int:
    """The size of an element, once shape and dtype are what a partitioner needs."""
    if not isinstance(shape, TensorShape):
        raise ValueError(f"shape is not a TensorShape: {shape}")
    if not shape.is_fully_defined():
        raise ValueError(f"shape is not fully defined: {shape}")
    if not isinstance(dtype, dtypes.DType):
        raise ValueError(f"dtype is not a DType: {dtype}")
    return bytes_per_string_element if dtype.base_dtype == dtypes.string else dtype.size


def call_partitioner(partitioner: Any, shape: TensorShape, dtype: dtypes.DType) -> Sequence[int]:
    """The number of pieces along each axis. ValueError for shapes that cannot be cut and for answers of another form."""
    if not shape.is_fully_defined():
        raise ValueError(f"Shape of a new partitioned variable must be fully defined, but instead was {shape}.")
    if shape.ndims == 0:
        raise ValueError(f"A partitioned Variable must have rank at least 1, shape: {shape}")
    counts = partitioner(shape=shape, dtype=dtype)
    if not isinstance(counts, Sequence):
        raise ValueError(f"Partitioner must return a sequence, but saw: {counts}")
    if len(counts) != shape.ndims:
        raise ValueError(
            f"Partitioner returned a partition list that does not match the Variable's rank: {counts} vs. {shape}"
        )
    if any(count < 1 for count in counts):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {counts}")
    if sum(count > 1 for count in counts) > 1:
        raise ValueError(f"Can only slice a variable along one dimension: shape: {shape}, partitioning: {counts}")
    return counts


def slices(full_shape: list[int], counts: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Offset and shape of each piece; the first ones are longer by one where the length does not divide."""
    axis = next((i for i, count in enumerate(counts) if count > 1), 0)
    length, longer = divmod(full_shape[axis], counts[axis])
    begin = 0
    for i in range(counts[axis]):
        offset, shape = [0] * len(full_shape), list(full_shape)
        offset[axis], shape[axis] = begin, length + (i < longer)
        yield offset, shape
        begin += shape[axis]


class PartitionInfo:
    """Tells an initializer which part of a variable it is asked for.

    TypeError if `full_shape` or `var_offset` is no sequence; ValueError if they differ in length, or for offsets outside
    the shape.
    """

    def __init__(self, full_shape: Sequence[int], var_offset: Sequence[int]) -> None:
        _check_sequence("full_shape", full_shape)
        _check_sequence("var_offset", var_offset)
        if len(var_offset) != len(full_shape):
            raise ValueError(
                f"Expected equal length, but `var_offset` is of length {len(var_offset)} while full_shape is of length "
                f"{len(full_shape)}."
            )
        for offset, size in zip(var_offset, full_shape, strict=True):
            if offset < 0 or offset >= size:
                raise ValueError(
                    f"Expected 0 <= offset < shape but found offset={offset}, shape={size} for var_offset={var_offset}, "
                    f"full_shape={full_shape}"
                )
        self._full_shape = full_shape
        self._var_offset = var_offset

    @property
    def full_shape(self) -> Sequence[int]:
        """Shape of the whole variable."""
        return self._full_shape

    @property
    def var_offset(self) -> Sequence[int]:
        """Where the partition begins in the whole variable."""
        return self._var_offset

    def single_offset(self, shape: Sequence[int]) -> int:
        """The offset along the one axis that a partition of `shape` is cut along; 0 if it is the whole variable."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self._var_offset[axis]

    def single_slice_dim(self, shape: Sequence[int]) -> int | None:
        """The axis that a partition of `shape` is cut along; None if it is the whole variable.

        TypeError if `shape` is no sequence; ValueError if it does not fit, or is cut along several axes.
        """
        _check_sequence("shape", shape)
        if len(shape) != len(self._full_shape):
            raise ValueError(
                f"Expected equal length, but received shape={shape} of length {len(shape)} while "
                f"self.full_shape={self._full_shape} is of length {len(self._full_shape)}."
            )
        found = None
        for axis, (offset, size, full) in enumerate(zip(self._var_offset, shape, self._full_shape, strict=True)):
            if offset + size > full:
                raise ValueError(
                    f"With self.var_offset={self._var_offset}, a partition of shape={shape} would exceed "
                    f"self.full_shape={self._full_shape} in dimension {axis}."
                )
            if size == full:
                continue
            if found is not None:
                raise ValueError(
                    f"Cannot use single_slice_dim() with shape={shape} and self.full_shape={self._full_shape} since "
                    f"slice dim could be either dimension {axis} or {found}."
                )
            found = axis
        return found


def _check_sequence(name: str, value: Any) -> None:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise TypeError(f"`{name}` must be a sequence (like tuple or list) instead of {type(value).__name__}")
