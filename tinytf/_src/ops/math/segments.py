"""Sums and means over segments of rows."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.array.constant_tensors import ones
from tinytf._src.ops.array.shape_ops import reshape, shape_internal

__all__ = [
    "sparse_segment_mean",
    "sparse_segment_sqrt_n",
    "sparse_segment_sum",
    "unsorted_segment_mean",
    "unsorted_segment_sqrt_n",
]


def _counts(data: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """Returns the number of rows per segment, at least 1, in a shape that broadcasts against the sums."""
    weights = ones(shape_internal(segment_ids), dtype=data.dtype)
    counts = gen_ops.unsorted_segment_sum(weights, segment_ids, num_segments)
    ndims, ids_ndims = data.shape.ndims, segment_ids.shape.ndims
    if ndims is None or ids_ndims is None:
        raise ValueError("The ranks of data and segment_ids must be known")
    return gen_ops.maximum(reshape(counts, [num_segments] + [1] * (ndims - ids_ndims)), 1)


@tf_export("math.unsorted_segment_mean", "unsorted_segment_mean")
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """Computes the mean of the rows of each segment; the mean of an empty segment is 0.

    Args:
      data: numeric tensor.
      segment_ids: integer tensor whose shape is a prefix of that of `data`; its values are segment numbers.
      num_segments: integer scalar.
      name: optional name of the name scope.

    Returns:
      A tensor whose first dimension is `num_segments`.

    Raises:
      ValueError: if the rank of `data` or `segment_ids` is unknown.
    """
    with name_scope(name, "UnsortedSegmentMean"):
        data = convert_to_tensor(data)
        segment_ids = convert_to_tensor(segment_ids)
        counts = _counts(data, segment_ids, num_segments)
        return gen_ops.unsorted_segment_sum(data, segment_ids, num_segments) / counts


@tf_export("math.unsorted_segment_sqrt_n", "unsorted_segment_sqrt_n")
def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """Computes the sum of the rows of each segment divided by the square root of their number; 0 for an empty segment.

    Args:
      data, segment_ids, num_segments, name: as in `unsorted_segment_mean`.

    Returns:
      A tensor whose first dimension is `num_segments`.

    Raises:
      ValueError: if the rank of `data` or `segment_ids` is unknown.
    """
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
    """Computes the sums of the segments of the gathered rows `data[indices]`.

    Args:
      data: numeric tensor.
      indices: integer vector of rows of `data`.
      segment_ids: sorted integer vector of the length of `indices`.
      name: optional name of the operation.
      num_segments: optional int32 scalar; with it the ids may have gaps.

    Returns:
      A tensor with one row per segment.
    """
    if num_segments is None:
        return gen_ops.sparse_segment_sum(data, indices, segment_ids, name=name)
    return gen_ops.sparse_segment_sum_with_num_segments(data, indices, segment_ids, num_segments, name=name)


@tf_export("sparse.segment_mean", "sparse_segment_mean")
@called_by_users
def sparse_segment_mean(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:
    """Computes the means of the segments of the gathered rows `data[indices]`.

    Args:
      data, indices, segment_ids, name, num_segments: as in `sparse_segment_sum`.

    Returns:
      A tensor with one row per segment.
    """
    if num_segments is None:
        return gen_ops.sparse_segment_mean(data, indices, segment_ids, name=name)
    return gen_ops.sparse_segment_mean_with_num_segments(data, indices, segment_ids, num_segments, name=name)


@tf_export("sparse.segment_sqrt_n", "sparse_segment_sqrt_n")
@called_by_users
def sparse_segment_sqrt_n(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:
    """Computes the sums of the segments of `data[indices]` divided by the square roots of their lengths.

    Args:
      data, indices, segment_ids, name, num_segments: as in `sparse_segment_sum`.

    Returns:
      A tensor with one row per segment.
    """
    if num_segments is None:
        return gen_ops.sparse_segment_sqrt_n(data, indices, segment_ids, name=name)
    return gen_ops.sparse_segment_sqrt_n_with_num_segments(data, indices, segment_ids, num_segments, name=name)
