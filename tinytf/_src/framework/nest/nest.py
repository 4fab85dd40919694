"""Nested structures of sequences, named tuples, mappings and attrs classes, and functions on their leaves.

Values of mappings are visited in the order of sorted keys. Text, sets, arrays and tensors are leaves. With
`expand_composites`, sparse tensors and indexed slices are structures of their components.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tinytf._src.framework.nest.values import flatten as flatten
from tinytf._src.framework.nest.values import is_nested as is_nested
from tinytf._src.framework.nest.values import is_nested_or_composite as is_nested_or_composite
from tinytf._src.framework.nest.values import mapped
from tinytf._src.framework.nest.values import sorted_keys as sorted_keys
from tinytf._src.framework.nest.values import structure_test as structure_test
from tinytf._src.framework.nest.values import values_of as values_of
from tinytf._src.framework.nest.values import with_values as with_values

_MAP_OPTIONS = frozenset(("check_types", "expand_composites"))


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Applies a function to the corresponding leaves of nested structures.

    Args:
      func: callable that takes one leaf per structure.
      *structure: nested structures of equal form.
      **kwargs: `check_types`, bool, whether sequence types must agree, True by default; `expand_composites`, bool,
        whether composite tensors are structures of their components, False by default.

    Returns:
      A structure like the first one, with the results as leaves.

    Raises:
      TypeError: if `func` is not callable, or the types of the structures differ with `check_types`.
      ValueError: if the structures differ, if none is given, or for other keyword arguments.
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
        return mapped(func, structure[0], structure_test(expand))
    for other in structure[1:]:
        assert_same_structure(structure[0], other, kwargs.get("check_types", True), expand)
    leaves = zip(*(flatten(one, expand) for one in structure))
    return pack_sequence_as(structure[0], [func(*group) for group in leaves], expand)


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Builds a nested structure from a flat sequence of leaves.

    Args:
      structure: nested structure that the result resembles.
      flat_sequence: list or tuple with the leaves, in the order of `flatten`.
      expand_composites: bool, whether composite tensors are structures of their components.

    Returns:
      A structure like `structure`; the only item if `structure` is a leaf.

    Raises:
      TypeError: if `flat_sequence` is not a sequence.
      ValueError: if the number of leaves differs.
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
    return mapped(lambda leaf: next(rest), structure, is_structure)


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Checks that two nested structures have the same form.

    Args:
      nest1: nested structure.
      nest2: nested structure.
      check_types: bool, whether sequence types must agree, too. Lists may be of different classes, and so may mappings.
      expand_composites: bool, whether composite tensors are structures of their components.

    Raises:
      ValueError: if the structures differ.
      TypeError: if the sequence types differ, with `check_types`.
    """
    from tinytf._src.framework.nest.same import assert_same

    assert_same(nest1, nest2, check_types, expand_composites)
