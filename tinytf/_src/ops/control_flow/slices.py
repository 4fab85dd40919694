"""Conversion of IndexedSlices and tensors to a common form before they are merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.shape_ops import shape_internal
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_


def as_indexed_slices(values: Sequence[Any]) -> list[IndexedSlices]:
    """Converts tensors to IndexedSlices of all rows. If the index dtypes differ, all indices become int64."""
    slices = [value if isinstance(value, IndexedSlices) else _all_rows(value) for value in values]
    return slices if len({value.indices.dtype for value in slices}) == 1 else [with_long_indices(v) for v in slices]


def _all_rows(tensor: Any) -> IndexedSlices:
    shape = shape_internal(tensor, optimize=False)
    return IndexedSlices(tensor, range_(0, shape[0]), shape)


def with_long_indices(value: IndexedSlices) -> IndexedSlices:
    """Returns the slices with int64 indices."""
    if value.indices.dtype == dtypes.int64:
        return value
    return IndexedSlices(value.values, cast(value.indices, dtypes.int64), value.dense_shape)
