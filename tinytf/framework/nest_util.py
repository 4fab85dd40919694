"""Functions on nested structures, by all names that TensorFlow 1.15 has for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tinytf.framework.nest import assert_same_structure, flatten, is_nested, map_structure, pack_sequence_as
from tinytf.framework.nest import is_nested as is_sequence
from tinytf.framework.nest import is_nested_or_composite as is_sequence_or_composite
from tinytf.framework.nest_paths import (
    flatten_with_joined_string_paths,
    flatten_with_tuple_paths,
    map_structure_with_paths,
    map_structure_with_tuple_paths,
    yield_flat_paths,
)
from tinytf.framework.nest_shallow import (
    assert_shallow_structure,
    flatten_up_to,
    flatten_with_tuple_paths_up_to,
    get_traverse_shallow_structure,
    map_structure_up_to,
    map_structure_with_tuple_paths_up_to,
)

__all__ = [
    "assert_same_structure",
    "assert_shallow_structure",
    "flatten",
    "flatten_dict_items",
    "flatten_up_to",
    "flatten_with_joined_string_paths",
    "flatten_with_tuple_paths",
    "flatten_with_tuple_paths_up_to",
    "get_traverse_shallow_structure",
    "is_nested",
    "is_sequence",
    "is_sequence_or_composite",
    "map_structure",
    "map_structure_up_to",
    "map_structure_with_paths",
    "map_structure_with_tuple_paths",
    "map_structure_with_tuple_paths_up_to",
    "pack_sequence_as",
    "yield_flat_paths",
]


def flatten_dict_items(dictionary: Any) -> dict[Any, Any]:
    """A dictionary with the leaves of the keys for keys, and of the values for values. ValueError if there are not as many,
    or two keys are the same."""
    if not isinstance(dictionary, Mapping):
        raise TypeError("input must be a dictionary")
    flat: dict[Any, Any] = {}
    for key, value in dictionary.items():
        keys, values = (flatten(key), flatten(value)) if is_nested(key) else ([key], [value])
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} elements. "
                f"Key: {keys}, value: {values}."
            )
        for one_key, one_value in zip(keys, values):
            if one_key in flat:
                raise ValueError(f"Could not flatten dictionary: key {one_key} is not unique.")
            flat[one_key] = one_value
    return flat
