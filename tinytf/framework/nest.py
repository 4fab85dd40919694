"""Nested structures: sequences, named tuples, mappings and classes of attrs inside each other, and the leaves they hold.

A mapping's items count in the order of its sorted keys. Text is a leaf, and so are sets, arrays and tensors. With
`expand_composites` sparse tensors and indexed slices count as structures of their parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, MappingView, MutableMapping, Sequence
from typing import Any

import numpy as np

from tinytf.framework.composite import is_composite, parts_of, with_parts
from tinytf.framework.tensor import Tensor

_PLAIN = frozenset((bool, complex, float, int, type(None), np.ndarray))  # leaves; abstract classes take long to ask
_LEAVES = (str, bytes, Tensor)
_NESTED = (Sequence, Mapping, MappingView)
_MAP_OPTIONS = frozenset(("check_types", "expand_composites"))


def is_nested(seq: Any) -> bool:
    """Whether it is a structure: a list, a tuple, a mapping or another sequence, or an object of a class of attrs."""
    if isinstance(seq, (list, tuple, dict)):
        return True
    if type(seq) in _PLAIN or isinstance(seq, _LEAVES):
        return False
    return isinstance(seq, _NESTED) or hasattr(type(seq), "__attrs_attrs__")


def is_nested_or_composite(seq: Any) -> bool:
    """Whether it is a structure or a tensor that is made of several."""
    return is_nested(seq) or is_composite(seq)


def structure_test(expand_composites: bool) -> Callable[[Any], bool]:
    """The function that says what is a structure."""
    return is_nested_or_composite if expand_composites else is_nested


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a structure in order; what is no structure is its only leaf. TypeError for keys without an order."""
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
    """What a structure or a composite holds, in order."""
    if isinstance(structure, (list, tuple)):
        return structure
    if isinstance(structure, (dict, Mapping)):
        return [structure[key] for key in sorted_keys(structure)]
    attributes = getattr(type(structure), "__attrs_attrs__", None)
    if attributes is not None:
        return [getattr(structure, attribute.name) for attribute in attributes]
    return parts_of(structure) if is_composite(structure) else structure


def sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    """The keys in order. TypeError if they have none."""
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def with_values(structure: Any, values: list[Any]) -> Any:
    """A structure, or composite, of the same kind that holds other values, given in order."""
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
    return with_parts(structure, values) if is_composite(structure) else type(structure)(values)


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """A structure like the first one with what `func` returns for the leaves of all that stand in the same place.

    With `check_types=False` lists may stand for tuples and the like. TypeError or ValueError if the structures differ.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    for name in kwargs.keys() - _MAP_OPTIONS:
        text = "Only valid keyword arguments are `check_types` and `expand_composites`, not: "
        raise ValueError(f"{text}`{name}`")
    expand = kwargs.get("expand_composites", False)
    if len(structure) == 1:
        return _mapped(func, structure[0], structure_test(expand))
    for other in structure[1:]:
        assert_same_structure(structure[0], other, kwargs.get("check_types", True), expand)
    leaves = zip(*(flatten(one, expand) for one in structure))
    return pack_sequence_as(structure[0], [func(*group) for group in leaves], expand)


def _mapped(func: Callable[[Any], Any], structure: Any, is_structure: Callable[[Any], bool]) -> Any:
    if not is_structure(structure):
        return func(structure)
    return with_values(structure, [_mapped(func, item, is_structure) for item in values_of(structure)])


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """The structure with other leaves, given in order.

    TypeError if `flat_sequence` is no sequence, ValueError if it does not have as many items as there are leaves.
    """
    if not is_nested(flat_sequence) or isinstance(flat_sequence, Mapping):
        raise TypeError("flat_sequence must be a sequence")
    flat = list(flat_sequence)
    is_structure = structure_test(expand_composites)
    if not is_structure(structure):
        if len(flat) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat)} > 1")
        return flat[0]
    leaves = len(flatten(structure, expand_composites))
    if leaves != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {leaves} elements, but flat_sequence had {len(flat)} elements.  "
            f"Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    rest = iter(flat)
    return _mapped(lambda leaf: next(rest), structure, is_structure)


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """ValueError if two structures differ in how they hold their leaves; with `check_types` TypeError if they are made of
    other types, mappings aside."""
    from tinytf.framework.nest_same import assert_same

    assert_same(nest1, nest2, check_types, expand_composites)
