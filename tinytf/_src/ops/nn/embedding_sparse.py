"""Embedding lookups that combine several rows per example."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.constant_tensors import fill
from tinytf._src.ops.array.gathering import gather, unique
from tinytf._src.ops.array.joining import concat
from tinytf._src.ops.array.shape_ops import expand_dims, rank, reshape, shape
from tinytf._src.ops.math.arithmetic import div, pow
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.segments import sparse_segment_mean, sparse_segment_sqrt_n, sparse_segment_sum
from tinytf._src.ops.nn.embedding_ops import embedding_lookup

_UNWEIGHTED = {"sum": sparse_segment_sum, "mean": sparse_segment_mean, "sqrtn": sparse_segment_sqrt_n}


@tf_export("nn.embedding_lookup_sparse")
@called_by_users
def embedding_lookup_sparse(
    params: Any,
    sp_ids: Any,
    sp_weights: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    combiner: str | None = None,
    max_norm: Any = None,
) -> Tensor:
    """Looks up several rows of an embedding table per example and combines them.

    Args:
      params, partition_strategy, max_norm: as in `embedding_lookup`.
      sp_ids: int32 or int64 SparseTensor [n, m] of row numbers, with at least one in each of its rows.
      sp_weights: None, or a floating-point SparseTensor with the same indices.
      name: optional name of the operation.
      combiner: "sum", "mean" (the weighted sum divided by the sum of weights; default) or "sqrtn" (divided by the
        square root of the sum of squared weights).

    Returns:
      A tensor of shape [n] + params.shape[1:].

    Raises:
      TypeError: if `sp_ids` or `sp_weights` is not a SparseTensor.
      ValueError: if `combiner` is unknown, or if shapes do not match.
    """
    if combiner is None:
        tf_logging.warning('The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.')
        combiner = "mean"
    combiner = next((known for known in _UNWEIGHTED if known == combiner), None)
    if combiner is None:
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    if hasattr(params, "_get_variable_list") or hasattr(params, "_variable_list"):
        params = list(params)
    if not isinstance(params, list):
        params = [params]
    _check(sp_ids, sp_weights)
    with name_scope(name, "embedding_lookup_sparse", [*params, sp_ids]) as scope:
        segment_ids = sp_ids.indices[:, 0]
        if segment_ids.dtype != dtypes.int32:
            segment_ids = cast(segment_ids, dtypes.int32)
        ids, places = unique(sp_ids.values)
        rows = embedding_lookup(params, ids, partition_strategy=partition_strategy, max_norm=max_norm)
        if rows.dtype in (dtypes.float16, dtypes.bfloat16):
            rows = cast(rows, dtypes.float32)
        if sp_weights is None:
            return _UNWEIGHTED[combiner](rows, places, segment_ids, name=scope)
        weights = sp_weights.values
        if weights.dtype != rows.dtype:
            weights = cast(weights, rows.dtype)
        rows = gather(rows, places)
        weights = _of_rank(weights, rows)
        return _combined(rows * weights, weights, segment_ids, combiner, scope)


def _check(sp_ids: Any, sp_weights: Any) -> None:
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is None:
        return
    if not isinstance(sp_weights, SparseTensor):
        raise TypeError("sp_weights must be either None or SparseTensor")
    for ours, theirs in (
        (sp_ids.values, sp_weights.values),
        (sp_ids.indices, sp_weights.indices),
        (sp_ids.dense_shape, sp_weights.dense_shape),
    ):
        ours.shape.assert_is_compatible_with(theirs.shape)


def _of_rank(weights: Tensor, rows: Tensor) -> Tensor:
    """Reshapes the weight vector to the rank of the rows by appending dimensions of size 1."""
    ones = fill(expand_dims(rank(rows) - 1, 0), 1)
    known = weights.shape
    weights = reshape(weights, concat([shape(weights), ones], 0))
    if rows.shape.ndims is not None:
        weights.set_shape(known.concatenate([1] * (rows.shape.ndims - 1)))
    return weights


def _combined(rows: Tensor, weights: Tensor, segment_ids: Tensor, combiner: str, name: str | None) -> Tensor:
    if combiner == "sum":
        return gen_ops.segment_sum(rows, segment_ids, name=name)
    total = gen_ops.segment_sum(rows, segment_ids)
    if combiner == "mean":
        return div(total, gen_ops.segment_sum(weights, segment_ids), name=name)
    squares = pow(weights, 2)
    return div(total, gen_ops.sqrt(gen_ops.segment_sum(squares, segment_ids)), name=name)
