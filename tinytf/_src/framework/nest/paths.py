"""Paths of leaves in nested structures: tuples of keys, field names and indices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tinytf._src.framework.composites.composite import components_of, has_parts, spec_of
from tinytf._src.framework.nest import nest

_Path = tuple[Any, ...]


def keyed(structure: Any) -> list[tuple[Any, Any]]:
    """Pairs of (key, field name or index; child) of a structure, in order. A composite tensor has one child, its
    components, keyed by its class name; so has the specification of one."""
    if isinstance(structure, Mapping):
        return [(key, structure[key]) for key in nest.sorted_keys(structure)]
    if has_parts(structure):
        cls = structure.value_type if spec_of(structure) is structure else type(structure)
        return [(cls.__name__, components_of(structure))]
    names = getattr(structure, "_fields", None)
    if names is None and hasattr(type(structure), "__attrs_attrs__"):
        names = [attribute.name for attribute in type(structure).__attrs_attrs__]
    values = list(nest.values_of(structure))
    return list(zip(range(len(values)) if names is None else names, values))


def leaves_with_paths(
    structure: Any, is_structure: Callable[[Any], bool], path: _Path = ()
) -> Iterator[tuple[_Path, Any]]:
    """Yields a pair (path, leaf) for each leaf."""
    if not is_structure(structure):
        yield path, structure
        return
    for key, value in keyed(structure):
        yield from leaves_with_paths(value, is_structure, (*path, key))


def yield_flat_paths(nest: Any, expand_composites: bool = False) -> Iterator[_Path]:
    """Yields the path of each leaf, in the order of `flatten`."""
    for path, _ in flatten_with_tuple_paths(nest, expand_composites):
        yield path


def flatten_with_tuple_paths(structure: Any, expand_composites: bool = False) -> list[tuple[_Path, Any]]:
    """A list of pairs (path, leaf), in the order of `flatten`."""
    return list(leaves_with_paths(structure, nest.structure_test(expand_composites)))


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """A list of pairs (path, leaf) in the order of `flatten`, with paths as text."""
    flat = flatten_with_tuple_paths(structure, expand_composites)
    return [(separator.join(map(str, path)), leaf) for path, leaf in flat]
