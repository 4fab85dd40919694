"""Summing the gradients that reach one tensor along several paths."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework import dtypes
from tinytf.framework.conversion import register_tensor_conversion_function
from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor


class AggregationMethod:
    """How `tf.gradients` sums the gradients of one tensor."""

    ADD_N = 0  # one AddN when all terms are there
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1  # pairs: memory for less latency
    EXPERIMENTAL_ACCUMULATE_N = 2  # accumulate_n where shapes are known
    ALL = (ADD_N, EXPERIMENTAL_TREE, EXPERIMENTAL_ACCUMULATE_N)


def aggregate(terms: list[Any], method: int, scope: str) -> Any:
    """The sum of the terms: a Tensor, or IndexedSlices when all terms are. TypeError for anything else."""
    if not all(isinstance(t, (Tensor, IndexedSlices)) for t in terms):
        raise TypeError("gradients have to be either all Tensors or all IndexedSlices")
    if all(isinstance(t, IndexedSlices) for t in terms):
        return _concatenate(terms)
    tensors = [densify(t) if isinstance(t, IndexedSlices) else t for t in terms]
    if method == AggregationMethod.EXPERIMENTAL_TREE:
        with name_scope(scope):
            total = tensors[0]
            for term in tensors[1:]:
                total = gen_ops.add_n([total, term])
            return total
    if method == AggregationMethod.EXPERIMENTAL_ACCUMULATE_N and len(tensors) > 2:
        if all(t.shape.is_fully_defined() for t in tensors):
            from tinytf.ops import math_ops

            return math_ops.accumulate_n(tensors)
    return gen_ops.add_n(tensors)


def densify(slices: IndexedSlices) -> Tensor:
    """The dense tensor. ValueError if its shape is not known."""
    if slices.dense_shape is None:
        raise ValueError(f"Tensor conversion requested for IndexedSlices without dense_shape: {slices}")
    return gen_ops.unsorted_segment_sum(slices.values, slices.indices, slices.dense_shape[0])


def _convert(slices: IndexedSlices, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(slices.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for IndexedSlices with dtype {slices.dtype.name}"
        )
    return densify(slices)


register_tensor_conversion_function(IndexedSlices, _convert)


def _concatenate(terms: list[IndexedSlices]) -> IndexedSlices:
    indices = [t.indices for t in terms]
    if len({t.dtype for t in indices}) > 1:
        indices = [gen_ops.cast(i, DstT=dtypes.int64) for i in indices]
    values = gen_ops.concat_v2([t.values for t in terms], 0)
    return IndexedSlices(values, gen_ops.concat_v2(indices, 0), terms[0].dense_shape)
