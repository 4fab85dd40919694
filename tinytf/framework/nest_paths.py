"""Where leaves stand in nested structures: paths of keys, names of fields and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tinytf.framework import nest
from tinytf.framework.composite import is_composite, parts_of

_Path = tuple[Any, ...]


def keyed(structure: Any) -> list[tuple[Any, Any]]:
    """What a structure holds, in order, with the key, the name or the number of each. A composite holds its parts, under
    the name of its class."""
    if isinstance(structure, Mapping):
        return [(key, structure[key]) for key in nest.sorted_keys(structure)]
    if is_composite(structure):
        return [(type(structure).__name__, parts_of(structure))]
    names = getattr(structure, "_fields", None)
    if names is None and hasattr(type(structure), "__attrs_attrs__"):
        names = [attribute.name for attribute in type(structure).__attrs_attrs__]
    values = list(nest.values_of(structure))
    return list(zip(range(len(values)) if names is None else names, values))


def leaves_with_paths(
    structure: Any, is_structure: Callable[[Any], bool], path: _Path = ()
) -> Iterator[tuple[_Path, Any]]:
    """Yields (path, leaf) for each leaf."""
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
    """The leaves in order, each as (path, leaf)."""
    return list(leaves_with_paths(structure, nest.structure_test(expand_composites)))


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """The leaves in order, each as (path, leaf), the paths as text."""
    flat = flatten_with_tuple_paths(structure, expand_composites)
    return [(separator.join(map(str, path)), leaf) for path, leaf in flat]
