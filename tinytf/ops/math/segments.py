"""Sums and means over segments of rows."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.array.filling import ones
from tinytf.ops.array.shape_ops import reshape, shape_internal

__all__ = [
    "sparse_segment_mean",
    "sparse_segment_sqrt_n",
    "sparse_segment_sum",
    "unsorted_segment_mean",
    "unsorted_segment_sqrt_n",
]


def _counts(data: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """How many rows each segment has, at least 1, in a shape that broadcasts against the sums."""
    weights = ones(shape_internal(segment_ids), dtype=data.dtype)
    counts = gen_ops.unsorted_segment_sum(weights, segment_ids, num_segments)
    ndims, ids_ndims = data.shape.ndims, segment_ids.shape.ndims
    if ndims is None or ids_ndims is None:
        raise ValueError("The ranks of data and segment_ids must be known")
    return gen_ops.maximum(reshape(counts, [num_segments] + [1] * (ndims - ids_ndims)), 1)


@tf_export("math.unsorted_segment_mean", "unsorted_segment_mean")
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The mean of those rows of `data` whose `segment_ids` are i, for i < `num_segments`; 0 if there are none."""
    with name_scope(name, "UnsortedSegmentMean"):
        data = convert_to_tensor(data)
        segment_ids = convert_to_tensor(segment_ids)
        counts = _counts(data, segment_ids, num_segments)
        return gen_ops.unsorted_segment_sum(data, segment_ids, num_segments) / counts


@tf_export("math.unsorted_segment_sqrt_n", "unsorted_segment_sqrt_n")
def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The sum of each segment's rows divided by the root of their number; 0 if there are none."""
    with name_scope(name, "UnsortedSegmentSqrtN"):
        data = convert_to_tensor(data)
        segment_ids = convert_to_tensor(segment_ids)
        counts = _counts(data, segment_ids, num_segments)
        return gen_ops.unsorted_segment_sum(data, segment_ids, num_segments) / gen_ops.sqrt(counts)


@tf_export("sparse.segment_sum", "sparse_segment_sum")
@called_by_users
def sparse_segment_sum(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:
    """The sums of segments of `data[indices]`; with `num_segments`, ids may be missing, else they count up from 0."""
    if num_segments is None:
        return gen_ops.sparse_segment_sum(data, indices, segment_ids, name=name)
    return gen_ops.sparse_segment_sum_with_num_segments(data, indices, segment_ids, num_segments, name=name)


@tf_export("sparse.segment_mean", "sparse_segment_mean")
@called_by_users
def sparse_segment_mean(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:
    """The means of segments of `data[indices]`; arguments as for `sparse_segment_sum`."""
    if num_segments is None:
        return gen_ops.sparse_segment_mean(data, indices, segment_ids, name=name)
    return gen_ops.sparse_segment_mean_with_num_segments(data, indices, segment_ids, num_segments, name=name)


@tf_export("sparse.segment_sqrt_n", "sparse_segment_sqrt_n")
@called_by_users
def sparse_segment_sqrt_n(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:
    """The sums of segments of `data[indices]` divided by the root of their lengths; as `sparse_segment_sum`."""
    if num_segments is None:
        return gen_ops.sparse_segment_sqrt_n(data, indices, segment_ids, name=name)
    return gen_ops.sparse_segment_sqrt_n_with_num_segments(data, indices, segment_ids, num_segments, name=name)
