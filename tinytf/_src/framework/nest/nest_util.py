"""Functions on nested structures, under all of TensorFlow 1.15's names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.nest import nest
from tinytf._src.framework.nest import paths as nest_paths
from tinytf._src.framework.nest import shallow as nest_shallow
from tinytf._src.framework.nest.nest import is_nested
from tinytf._src.framework.nest.nest import is_nested_or_composite as is_sequence_or_composite
from tinytf._src.framework.nest.paths import yield_flat_paths

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

is_sequence = is_nested

assert_same_structure = called_by_users(nest.assert_same_structure)
flatten = called_by_users(nest.flatten)
map_structure = called_by_users(nest.map_structure)
pack_sequence_as = called_by_users(nest.pack_sequence_as)

flatten_with_joined_string_paths = called_by_users(nest_paths.flatten_with_joined_string_paths)
flatten_with_tuple_paths = called_by_users(nest_paths.flatten_with_tuple_paths)
map_structure_with_paths = called_by_users(nest_shallow.map_structure_with_paths)
map_structure_with_tuple_paths = called_by_users(nest_shallow.map_structure_with_tuple_paths)

assert_shallow_structure = called_by_users(nest_shallow.assert_shallow_structure)
flatten_up_to = called_by_users(nest_shallow.flatten_up_to)
flatten_with_tuple_paths_up_to = called_by_users(nest_shallow.flatten_with_tuple_paths_up_to)
get_traverse_shallow_structure = called_by_users(nest_shallow.get_traverse_shallow_structure)
map_structure_up_to = called_by_users(nest_shallow.map_structure_up_to)
map_structure_with_tuple_paths_up_to = called_by_users(nest_shallow.map_structure_with_tuple_paths_up_to)


@called_by_users
def flatten_dict_items(dictionary: Any) -> dict[Any, Any]:
    """A dict from the leaves of the keys to the leaves of the values.

    Args:
      dictionary: dict whose keys are leaves or nested structures with as many leaves as their values.

    Returns:
      Flat dict.

    Raises:
      TypeError: if `dictionary` is not a mapping.
      ValueError: if a key and its value have different numbers of leaves, or a leaf key occurs twice.
    """
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


tf_export("nest.*").constants(__name__, "assert_same_structure", "flatten", "map_structure", "pack_sequence_as")

tf_export("nest").namespace(__doc__)
