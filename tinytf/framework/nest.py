"""Nested structures: lists, tuples, named tuples and mappings inside each other, and the leaves they hold.

A mapping's items count in the order of its sorted keys.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tinytf.framework.tensor import Tensor


def is_nested(value: Any) -> bool:
    """Whether `value` is a list, a tuple or a mapping."""
    return isinstance(value, (list, tuple, dict)) or (not isinstance(value, Tensor) and isinstance(value, Mapping))


def flatten(structure: Any) -> list[Any]:
    """The leaves of a structure in order; what is no structure is its only leaf. TypeError for keys without an order."""
    leaves: list[Any] = []
    _collect(structure, leaves)
    return leaves


def _collect(structure: Any, leaves: list[Any]) -> None:
    if not is_nested(structure):
        leaves.append(structure)
        return
    for item in _items(structure):
        if isinstance(item, Tensor):
            leaves.append(item)
        else:
            _collect(item, leaves)


def _items(structure: Any) -> Iterable[Any]:
    if isinstance(structure, Mapping):
        return [structure[key] for key in _sorted_keys(structure)]
    return structure


def _sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def map_structure(function: Callable[[Any], Any], structure: Any) -> Any:
    """A structure of the same kinds with `function(leaf)` for each leaf."""
    if not is_nested(structure):
        return function(structure)
    made = [map_structure(function, item) for item in _items(structure)]
    if isinstance(structure, Mapping):
        by_key = dict(zip(_sorted_keys(structure), made))
        items = [(key, by_key[key]) for key in structure]
        if isinstance(structure, defaultdict):
            return defaultdict(structure.default_factory, items)
        return type(structure)(items)  # type: ignore[call-arg]
    return type(structure)(*made) if hasattr(structure, "_fields") else type(structure)(made)


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """The structure with other leaves, given in order.

    TypeError if `flat_sequence` is no list or tuple, ValueError if it does not have as many items as there are leaves.
    """
    if not isinstance(flat_sequence, (list, tuple)):
        raise TypeError("flat_sequence must be a sequence")
    if not is_nested(structure):
        if len(flat_sequence) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat_sequence)} > 1")
        return flat_sequence[0]
    leaves = len(flatten(structure))
    if leaves != len(flat_sequence):
        raise ValueError(
            f"Could not pack sequence. Structure had {leaves} elements, but flat_sequence had {len(flat_sequence)} elements.  "
            f"Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    rest = iter(flat_sequence)
    return map_structure(lambda leaf: next(rest), structure)
