"""Structures of tensors as flat lists, in which composite tensors count as their parts."""

from __future__ import annotations

from typing import Any

from tinytf.framework import nest
from tinytf.framework.composite import is_composite, parts_of, with_parts
from tinytf.framework.eager_tensor import EagerTensor
from tinytf.framework.sparse_tensor import SparseTensor
from tinytf.framework.tensor_spec import TensorSpec

# What most arguments are, which are no structures.
PLAIN = frozenset((EagerTensor, bool, float, int, str, bytes, type(None)))


def part_specs(value: Any) -> list[TensorSpec]:
    """What the parts of any composite like `value` look like: sparse tensors differ in the number of their elements."""
    if isinstance(value, SparseTensor):
        rank = value.indices.shape[-1]
        return [
            TensorSpec([None, rank], value.indices.dtype),
            TensorSpec([None], value.values.dtype),
            TensorSpec([rank], value.dense_shape.dtype),
        ]
    return [TensorSpec(part.shape, part.dtype) for part in parts_of(value)]


def flatten(structure: Any) -> list[Any]:
    """The leaves in order, those of composites among them."""
    if type(structure) is tuple and PLAIN.issuperset(map(type, structure)):
        return list(structure)
    leaves = nest.flatten(structure)
    if any(is_composite(leaf) for leaf in leaves):
        return [part for leaf in leaves for part in parts_of(leaf)]
    return leaves


def pack(structure: Any, flat: list[Any]) -> Any:
    """The structure with the leaves in `flat`."""
    if not nest.is_nested(structure) and not is_composite(structure):
        return flat[0]
    rest = iter(flat)
    return nest.map_structure(lambda leaf: with_parts(leaf, [next(rest) for _ in parts_of(leaf)]), structure)
