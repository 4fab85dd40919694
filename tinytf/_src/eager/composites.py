"""Flattens structures of tensors; composite tensors are replaced by their component tensors."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.composites.composite import (
    components_of,
    has_parts,
    is_composite,
    parts_of,
    with_parts,
)
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.eager_tensor import EagerTensor

# Types of the most frequent arguments, none of which is nested.
PLAIN = frozenset((EagerTensor, bool, float, int, str, bytes, type(None)))


def part_specs(value: Any) -> list[TensorSpec]:
    """Returns specs that the components of any composite like `value`, or of the specification `value`, fit: the number
    of a sparse tensor's elements is left open."""
    if isinstance(value, SparseTensor):
        rank = value.indices.shape[-1]
        return [
            TensorSpec([None, rank], value.indices.dtype),
            TensorSpec([None], value.values.dtype),
            TensorSpec([rank], value.dense_shape.dtype),
        ]
    parts = parts_of(value)
    return parts if is_spec(value) else [TensorSpec(part.shape, part.dtype) for part in parts]


def is_spec(value: Any) -> bool:
    """Whether the value is the specification of composite tensors."""
    return has_parts(value) and not is_composite(value)


def components(value: Any) -> Any:
    """Returns the components of a composite tensor in their structure; other values unchanged."""
    return components_of(value) if is_composite(value) else value


def flatten(structure: Any) -> list[Any]:
    """Returns the leaves in order, with composites replaced by their components."""
    if type(structure) is tuple and PLAIN.issuperset(map(type, structure)):
        return list(structure)
    leaves = nest.flatten(structure)
    if any(is_composite(leaf) for leaf in leaves):
        return [part for leaf in leaves for part in parts_of(leaf)]
    return leaves


def pack(structure: Any, flat: list[Any]) -> Any:
    """Returns the structure with the leaves in `flat`; inverse of `flatten`."""
    if not nest.is_nested(structure) and not is_composite(structure):
        return flat[0]
    rest = iter(flat)
    return nest.map_structure(lambda leaf: with_parts(leaf, [next(rest) for _ in parts_of(leaf)]), structure)
