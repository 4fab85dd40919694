"""Conversion of `IndexedSlices` to dense tensors; importing this module registers it for `tf.convert_to_tensor`."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import register_tensor_conversion_function
from tinytf._src.framework.values import dtypes


def dense_from(slices: IndexedSlices, name: str | None = None) -> Tensor:
    """Returns the slices as a dense tensor. Raises ValueError if their dense shape is unknown."""
    if slices.dense_shape is None:
        raise ValueError(f"Tensor conversion requested for IndexedSlices without dense_shape: {slices}")
    return gen_ops.unsorted_segment_sum(slices.values, slices.indices, slices.dense_shape[0], name=name)


def _convert(slices: IndexedSlices, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(slices.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for IndexedSlices with dtype {slices.dtype.name}"
        )
    return dense_from(slices, name)


register_tensor_conversion_function(IndexedSlices, _convert)
