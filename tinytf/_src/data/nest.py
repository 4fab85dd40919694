"""Nested structures of datasets' elements: like those of `framework.nest`, but a list is a leaf, which becomes a tensor,
and so is a `SparseTensorValue`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tinytf._src.framework.composites.sparse_tensor import SparseTensorValue
from tinytf._src.framework.nest import nest
from tinytf._src.framework.nest.same import assert_same_form
from tinytf._src.framework.nest.values import mapped


def is_nested(value: Any) -> bool:
    """Whether a value is a nested structure rather than a leaf."""
    return nest.is_nested(value) and not isinstance(value, (list, SparseTensorValue))


def flatten(structure: Any) -> list[Any]:
    """Lists the leaves in order; `[structure]` for a leaf. TypeError if the keys of a mapping cannot be sorted."""
    if not is_nested(structure):
        return [structure]
    return [leaf for value in nest.values_of(structure) for leaf in flatten(value)]


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """Returns a structure like this one with other leaves.

    Args:
      structure: nested structure, or a leaf.
      flat_sequence: list or tuple of the leaves, in order.

    Returns:
      The structure; the only leaf if `structure` is one.

    Raises:
      TypeError: if `flat_sequence` is not a sequence.
      ValueError: if the number of leaves differs.
    """
    if not (is_nested(flat_sequence) or isinstance(flat_sequence, list)):
        raise TypeError("flat_sequence must be a sequence")
    flat = list(flat_sequence)
    if not is_nested(structure):
        if len(flat) != 1:
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat)} > 1")
        return flat[0]
    count = len(flatten(structure))
    if count != len(flat):
        raise ValueError(
            f"Could not pack sequence. Structure had {count} elements, but flat_sequence had {len(flat)} elements.  "
            f"Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    rest = iter(flat)
    return mapped(lambda leaf: next(rest), structure, is_nested)


def assert_same_structure(one: Any, other: Any, check_types: bool = True) -> None:
    """Raises ValueError if two structures have different forms, TypeError if their types differ and `check_types`."""
    assert_same_form(one, other, check_types, is_nested)


def map_structure(function: Callable[..., Any], *structures: Any) -> Any:
    """Returns a structure like the first one, with the results of `function` for corresponding leaves."""
    for other in structures[1:]:
        assert_same_structure(structures[0], other)
    groups = zip(*map(flatten, structures))
    return pack_sequence_as(structures[0], [function(*group) for group in groups])


def flatten_up_to(shallow: Any, structure: Any) -> list[Any]:
    """Lists the values in `structure` at the leaves of `shallow`. TypeError or ValueError if `structure` differs above
    these."""
    assert_shallow_structure(shallow, structure)
    return list(_up_to(shallow, structure))


def map_structure_up_to(shallow: Any, function: Callable[..., Any], *structures: Any) -> Any:
    """Returns a structure like `shallow` with the results of `function` for the values at its leaves."""
    groups = zip(*[flatten_up_to(shallow, structure) for structure in structures])
    return pack_sequence_as(shallow, [function(*group) for group in groups])


def _up_to(shallow: Any, structure: Any) -> Iterator[Any]:
    if not is_nested(shallow):
        yield structure
        return
    for branch, value in zip(nest.values_of(shallow), nest.values_of(structure)):
        yield from _up_to(branch, value)


def assert_shallow_structure(shallow: Any, structure: Any) -> None:
    """Raises TypeError or ValueError unless `structure` has the form of `shallow`, with any values at its leaves."""
    if not is_nested(shallow):
        return
    if not is_nested(structure):
        raise TypeError(
            f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(structure)}."
        )
    if not isinstance(structure, type(shallow)):
        raise TypeError(
            f"The two structures don't have the same sequence type. Input structure has type {type(structure)}, while "
            f"shallow structure has type {type(shallow)}."
        )
    if len(structure) != len(shallow):
        raise ValueError(
            f"The two structures don't have the same sequence length. Input structure has length {len(structure)}, while "
            f"shallow structure has length {len(shallow)}."
        )
    if isinstance(shallow, Mapping) and set(structure) != set(shallow):
        raise ValueError(
            f"The two structures don't have the same keys. Input structure has keys {list(structure)}, while shallow "
            f"structure has keys {list(shallow)}."
        )
    for branch, value in zip(nest.values_of(shallow), nest.values_of(structure)):
        assert_shallow_structure(branch, value)
