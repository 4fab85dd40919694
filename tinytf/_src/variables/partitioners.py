"""Partitioners, which choose the number of pieces of a variable, and the slices that result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape

Partitioner = Callable[..., list[int]]


@tf_export("fixed_size_partitioner")
def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """Creates a partitioner that splits variables into a fixed number of pieces.

    Args:
      num_shards: int, number of pieces; fewer if the axis is shorter.
      axis: int, axis along which to split.

    Returns:
      Partitioner for `tf.get_variable` and `tf.variable_scope`.
    """

    def partitioner(shape: TensorShape, **unused: Any) -> list[int]:
        return _along(axis, shape, min(num_shards, _extent(shape, axis)))

    return partitioner


@tf_export("variable_axis_size_partitioner")
def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None
) -> Partitioner:
    """Creates a partitioner that limits the size of each piece.

    Args:
      max_shard_bytes: int, maximum size of a piece in bytes; exceeded only if a single slice is larger.
      axis: int, axis along which to split.
      bytes_per_string_element: int, assumed size of a string element in bytes.
      max_shards: int, maximum number of pieces, which takes precedence; None means no limit.

    Returns:
      Partitioner for `tf.get_variable` and `tf.variable_scope`.

    Raises:
      ValueError: for sizes that are not positive. The partitioner raises it for a shape that is not a fully defined
        TensorShape, and for a dtype that is not a DType.
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
    """Creates a partitioner that keeps pieces above a minimum size.

    Args:
      max_partitions: int, maximum number of pieces.
      axis: int, axis along which to split.
      min_slice_size: int, minimum size of a piece in bytes.
      bytes_per_string_element: int, assumed size of a string element in bytes.

    Returns:
      Partitioner for `tf.get_variable` and `tf.variable_scope`. It raises ValueError for a shape without the axis or
      that is not a fully defined TensorShape, and for a dtype that is not a DType.
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
    """The size of an element in bytes, after validation of shape and dtype."""
    if not isinstance(shape, TensorShape):
        raise ValueError(f"shape is not a TensorShape: {shape}")
    if not shape.is_fully_defined():
        raise ValueError(f"shape is not fully defined: {shape}")
    if not isinstance(dtype, dtypes.DType):
        raise ValueError(f"dtype is not a DType: {dtype}")
    return bytes_per_string_element if dtype.base_dtype == dtypes.string else dtype.size


def call_partitioner(partitioner: Any, shape: TensorShape, dtype: dtypes.DType) -> Sequence[int]:
    """The number of pieces along each axis. Raises ValueError for shapes that cannot be split and for invalid results
    of the partitioner."""
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
    """Yields offset and shape of each piece; the first pieces are longer by one if the length is not divisible."""
    axis = next((i for i, count in enumerate(counts) if count > 1), 0)
    length, longer = divmod(full_shape[axis], counts[axis])
    begin = 0
    for i in range(counts[axis]):
        offset, shape = [0] * len(full_shape), list(full_shape)
        offset[axis], shape[axis] = begin, length + (i < longer)
        yield offset, shape
        begin += shape[axis]


class PartitionInfo:
    """Tells an initializer which part of a variable to create.

    Args:
      full_shape: sequence of ints, shape of the whole variable.
      var_offset: sequence of ints, offset of the part.

    Raises:
      TypeError: if an argument is not a sequence.
      ValueError: if their lengths differ, or the offset lies outside the shape.
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
        """The shape of the whole variable."""
        return self._full_shape

    @property
    def var_offset(self) -> Sequence[int]:
        """The offset of the part in the whole variable."""
        return self._var_offset

    def single_offset(self, shape: Sequence[int]) -> int:
        """The offset along the partitioned axis of a part of the given shape; 0 if the part is the whole variable."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self._var_offset[axis]

    def single_slice_dim(self, shape: Sequence[int]) -> int | None:
        """The partitioned axis of a part of the given shape; None if the part is the whole variable.

        Raises TypeError if `shape` is not a sequence, ValueError if it does not fit or is partitioned along several
        axes.
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
