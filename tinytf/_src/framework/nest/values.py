"""The children of nested structures, and construction of structures from children; the basis of all `nest`
functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, MappingView, MutableMapping, Sequence
from typing import Any

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.composite import has_parts, parts_of, with_parts
from tinytf._src.framework.graph.tensor import Tensor

# Leaf classes, listed because checks against abstract classes are slow.
_PLAIN = frozenset((bool, complex, float, int, type(None), np.ndarray))
_LEAVES = (str, bytes, Tensor)
_NESTED = (Sequence, Mapping, MappingView)


@tf_export("nest.is_nested")
def is_nested(seq: Any) -> bool:
    """Whether a value is a nested structure rather than a leaf.

    Args:
      seq: any value.

    Returns:
      bool, True for lists, tuples, mappings and other sequences except text, and for instances of attrs classes.
    """
    if isinstance(seq, (list, tuple, dict)):
        return True
    if type(seq) in _PLAIN or isinstance(seq, _LEAVES):
        return False
    return isinstance(seq, _NESTED) or hasattr(type(seq), "__attrs_attrs__")


def is_nested_or_composite(seq: Any) -> bool:
    """Whether a value is a nested structure, a composite tensor, or the specification of one."""
    return is_nested(seq) or has_parts(seq)


def structure_test(expand_composites: bool) -> Callable[[Any], bool]:
    """The predicate that tells structures from leaves."""
    return is_nested_or_composite if expand_composites else is_nested


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Lists the leaves of a nested structure.

    Args:
      structure: nested structure, or a leaf. Values of mappings are visited in the order of sorted keys.
      expand_composites: bool, whether composite tensors are structures of their components.

    Returns:
      List of leaves; `[structure]` for a leaf.

    Raises:
      TypeError: if the keys of a mapping cannot be sorted.
    """
    leaves: list[Any] = []
    _collect(structure, leaves, structure_test(expand_composites))
    return leaves


def _collect(structure: Any, leaves: list[Any], is_structure: Callable[[Any], bool]) -> None:
    if not is_structure(structure):
        leaves.append(structure)
        return
    for item in values_of(structure):
        if isinstance(item, Tensor):
            leaves.append(item)
        else:
            _collect(item, leaves, is_structure)


def values_of(structure: Any) -> Iterable[Any]:
    """The children of a structure or composite tensor, in order."""
    if isinstance(structure, (list, tuple)):
        return structure
    if isinstance(structure, (dict, Mapping)):
        return [structure[key] for key in sorted_keys(structure)]
    attributes = getattr(type(structure), "__attrs_attrs__", None)
    if attributes is not None:
        return [getattr(structure, attribute.name) for attribute in attributes]
    return parts_of(structure) if has_parts(structure) else structure


def sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    """The sorted keys of a mapping. Raises TypeError if they cannot be sorted."""
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def with_values(structure: Any, values: list[Any]) -> Any:
    """A structure or composite tensor of the same kind with other children, given in order."""
    if isinstance(structure, Mapping):
        by_key = dict(zip(sorted_keys(structure), values))
        items = [(key, by_key[key]) for key in structure]
        if isinstance(structure, defaultdict):
            return defaultdict(structure.default_factory, items)
        if not isinstance(structure, MutableMapping):
            return type(structure)(items)  # type: ignore[call-arg]
        made = type(structure)()
        for key, value in items:
            made[key] = value
        return made
    if hasattr(structure, "_fields") or hasattr(type(structure), "__attrs_attrs__"):
        return type(structure)(*values)
    if isinstance(structure, (range, MappingView)):
        return values
    return with_parts(structure, values) if has_parts(structure) else type(structure)(values)


def mapped(func: Callable[[Any], Any], structure: Any, is_structure: Callable[[Any], bool]) -> Any:
    """A structure like this one with the results of `func` for its leaves."""
    if not is_structure(structure):
        return func(structure)
    return with_values(structure, [mapped(func, item, is_structure) for item in values_of(structure)])
