"""SparseTensors in batches: the queue holds their keys in a map that the session owns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.dimension import Dimension
from tinytf._src.ops.array.constant_tensors import ones
from tinytf._src.ops.array.gathering import gather
from tinytf._src.ops.array.shape_ops import expand_dims, shape, squeeze
from tinytf._src.ops.control_flow.conditional import cond
from tinytf._src.ops.control_flow.dependencies import with_dependencies
from tinytf._src.ops.sparse.serialized import (
    add_many_sparse_to_tensors_map,
    add_sparse_to_tensors_map,
    keeps_sparse_tensors,
    take_many_sparse_from_tensors_map,
)
from tinytf._src.ops.sparse.sparse_parts import sparse_retain


class Kept(NamedTuple):
    """Describes a component of examples: whether it is sparse, and if so the operation that stores it and its rank."""

    is_sparse: bool
    map_op: Operation | None
    rank: Dimension

    def fits(self, other: Kept) -> bool:
        """Returns whether components of two sources are compatible."""
        if not self.is_sparse or not other.is_sparse:
            return self.is_sparse == other.is_sparse
        return self.map_op is other.map_op and self.rank.is_compatible_with(other.rank)


def store(examples: list[list[Any]], enqueue_many: bool, keep: Tensor) -> tuple[list[list[Tensor]], list[Kept]]:
    """Replaces SparseTensors by their keys, of shape [1] or [n, 1]; also returns a description of each component.

    Raises ValueError if the sources differ in which components are sparse.
    """
    stored, kept = _stored(examples[0], enqueue_many, keep, [None] * len(examples[0]))
    all_stored = [stored]
    for example in examples[1:]:
        stored, other = _stored(example, enqueue_many, keep, [each.map_op for each in kept])
        if len(kept) != len(other) or not all(one.fits(two) for one, two in zip(kept, other)):
            raise ValueError(f"Inconsistent SparseTensors list: {examples[0]} vs. {example}")
        all_stored.append(stored)
    return all_stored, kept


def restore(batch: Any, kept: list[Kept]) -> Any:
    """Replaces keys by SparseTensors. Evaluating any part of the batch evaluates all of it, because keys can be taken
    only once.
    """
    is_list = isinstance(batch, Sequence)
    parts = [
        _restored(part, each) if each.is_sparse else part for part, each in zip(batch if is_list else [batch], kept)
    ]
    if any(each.is_sparse for each in kept):
        values = [part.values if isinstance(part, SparseTensor) else part for part in parts]
        together = [
            SparseTensor(*(with_dependencies(values, each) for each in (part.indices, part.values, part.dense_shape)))
            if isinstance(part, SparseTensor)
            else with_dependencies(values, part)
            for part in parts
        ]
        # A single component is returned without the dependencies, as in TensorFlow.
        parts = together if is_list else parts
    return parts if is_list else parts[0]


def _stored(
    example: list[Any], enqueue_many: bool, keep: Tensor, maps: list[Operation | None]
) -> tuple[list[Tensor], list[Kept]]:
    parts = [_stored_part(part, enqueue_many, keep, map_op) for part, map_op in zip(example, maps)]
    kept = [
        Kept(True, map_op or _keeping_op(part), _rank_of(sparse, enqueue_many))
        if isinstance(sparse, SparseTensor)
        else Kept(False, None, Dimension(None))
        for sparse, part, map_op in zip(example, parts, maps)
    ]
    return [expand_dims(part, [-1]) if each.is_sparse else part for part, each in zip(parts, kept)], kept


def _stored_part(part: Any, enqueue_many: bool, keep: Tensor, map_op: Operation | None) -> Tensor:
    if not isinstance(part, SparseTensor):
        return part
    name = map_op.name if map_op else None
    if keep.shape.ndims == 1:
        part = sparse_retain(part, gather(keep, part.indices[:, 0]))
        return add_many_sparse_to_tensors_map(part, name)
    if not enqueue_many:
        return if_kept(keep, lambda: add_sparse_to_tensors_map(part, name), lambda: constant(-1, dtypes.int64))
    numbers = if_kept(
        keep,
        lambda: add_many_sparse_to_tensors_map(part, name),
        lambda: -1 * ones(shape(part)[0:1], dtypes.int64),
    )
    numbers.set_shape([None])
    return numbers


def if_kept(keep: Tensor, store_it: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """Returns the result of one function if `keep` is constant, otherwise a conditional of both."""
    known = constant_value(keep)
    if known is None:
        return cond(keep, store_it, otherwise)
    return store_it() if known else otherwise()


def _keeping_op(stored: Tensor) -> Operation:
    """Returns the operation that stores a SparseTensor, which may be in a branch."""
    for tensor in stored.op.inputs:
        if keeps_sparse_tensors(tensor.op):
            return tensor.op
    return stored.op


def _rank_of(sparse: SparseTensor, enqueue_many: bool) -> Dimension:
    rank = sparse.dense_shape.shape.with_rank(1)[0]
    return Dimension(rank - 1 if enqueue_many else rank)


def _restored(numbers: Tensor, kept: Kept) -> SparseTensor:
    return take_many_sparse_from_tensors_map(kept.map_op, squeeze(numbers, [1]), (kept.rank + 1).value)
