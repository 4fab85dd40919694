"""Lookups of rows in embedding tables, which may be partitioned."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_n_to_tensor_or_indexed_slices, convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array.gathering import gather, where
from tinytf._src.ops.array.joining import concat, stack
from tinytf._src.ops.array.shape_ops import rank, reshape, shape, size
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.clip_ops import clip_by_norm
from tinytf._src.ops.math.ranges import range as range_of
from tinytf._src.ops.math.reductions import reduce_sum


@tf_export("nn.embedding_lookup")
@called_by_users
def embedding_lookup(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: Any = None,
) -> Tensor:
    """Looks up rows of an embedding table.

    Args:
      params: tensor or variable, or a list of the partitions of the table, or a partitioned variable. A tuple is
        converted to one tensor.
      ids: int32 or int64 tensor of row numbers.
      partition_strategy: "mod", if partition p holds the rows i with i % n == p, or "div", if partitions hold
        consecutive rows.
      name: optional name of the operation.
      validate_indices: ignored.
      max_norm: optional float; rows with a larger Euclidean norm are scaled down to it.

    Returns:
      A tensor of shape `ids.shape + params.shape[1:]`.

    Raises:
      ValueError: if `params` is missing or empty, or if `partition_strategy` is unknown.
    """
    if params is None or (isinstance(params, (list, tuple)) and not params):
        raise ValueError("Need at least one param")
    if hasattr(params, "_get_variable_list") or hasattr(params, "_variable_list"):
        params = list(params)
    parts = list(params) if isinstance(params, list) else [params]
    with name_scope(name, "embedding_lookup", [*parts, ids]) as scope:
        # A variable that supports sparse reads must not be converted, which would read it as a whole.
        if not any(hasattr(part, "sparse_read") for part in parts):
            parts = convert_n_to_tensor_or_indexed_slices(parts, name="params")
        ids = convert_to_tensor(ids, name="ids")
        if len(parts) == 1:
            with colocate_with(parts[0]):
                result = _clip(gather(parts[0], ids, name=scope), ids, max_norm)
            # Outside the colocation scope, so that the result need not be placed with the table.
            return gen_ops.identity(result)
        return _clip(_lookup_in_parts(parts, ids, partition_strategy, scope), ids, max_norm)


def _lookup_in_parts(parts: list[Any], ids: Tensor, partition_strategy: str, name: str) -> Tensor:
    count = len(parts)
    flat_ids = reshape(ids, [-1])
    positions = range_of(size(flat_ids))
    if partition_strategy == "mod":
        assignments, new_ids = flat_ids % count, flat_ids // count
    elif partition_strategy == "div":
        assignments, new_ids = _divided(parts, flat_ids)
    else:
        raise ValueError("Unrecognized partition strategy: " + partition_strategy)
    assignments = cast(assignments, dtypes.int32)
    gather_ids = gen_ops.dynamic_partition(new_ids, assignments, count)
    places = gen_ops.dynamic_partition(positions, assignments, count)
    rows = []
    for part, part_ids in zip(parts, gather_ids, strict=True):
        with colocate_with(part):
            rows.append(gather(part, part_ids))
    result = gen_ops.parallel_dynamic_stitch(places, rows, name=name)
    element = parts[0].shape[1:]
    for part in parts[1:]:
        element = element.merge_with(part.shape[1:])
    if element.is_fully_defined():
        element_shape: Any = element
    else:
        with colocate_with(parts[0]):
            element_shape = shape(parts[0])[1:]
    result = reshape(result, concat([shape(ids), element_shape], 0))
    result.set_shape(ids.shape.concatenate(element))
    return result


def _divided(parts: list[Any], flat_ids: Tensor) -> tuple[Tensor, Tensor]:
    """Returns partition and row within it for each id, if partitions hold consecutive rows and the first ones one row
    more.
    """
    extents = [part.shape[0].value for part in parts]
    if all(extents):
        total = constant(sum(extents), flat_ids.dtype)
    else:
        sizes: list[Any] = []
        for part, extent in zip(parts, extents, strict=True):
            if extent is not None:
                sizes.append(extent)
            else:
                with colocate_with(part):
                    sizes.append(shape(part)[0])
        total = reduce_sum(cast(stack(sizes), flat_ids.dtype))
    per_part = total // len(parts)
    extras = total % len(parts)
    assignments = gen_ops.maximum(flat_ids // (per_part + 1), (flat_ids - extras) // per_part)
    new_ids = where(assignments < extras, flat_ids % (per_part + 1), (flat_ids - extras) % per_part)
    return assignments, new_ids


def _clip(rows: Tensor, ids: Tensor, max_norm: Any) -> Tensor:
    if max_norm is None:
        return rows
    ids_rank, rows_rank = ids.shape.ndims, rows.shape.ndims
    if ids_rank and rows_rank:
        axes: Any = list(range(ids_rank, rows_rank))
    else:
        axes = range_of(ids_rank or rank(ids), rows_rank or rank(rows))
    return clip_by_norm(rows, max_norm, axes=axes)
