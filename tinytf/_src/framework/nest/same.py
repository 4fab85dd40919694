"""Comparison of nested structures, with an error message that explains the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tinytf._src.framework.composites.composite import are_alike, has_parts, spec_of, spec_text
from tinytf._src.framework.nest.values import is_nested, mapped, structure_test, values_of


def assert_same(one: Any, other: Any, check_types: bool, expand_composites: bool) -> None:
    """Implements `nest.assert_same_structure`."""
    try:
        assert_same_form(one, other, check_types, structure_test(expand_composites))
    except (TypeError, ValueError) as error:
        text = f"{error}\nEntire first structure:\n{_shape(one)}\nEntire second structure:\n{_shape(other)}"
        raise type(error)(text) from None


def assert_same_form(one: Any, other: Any, check_types: bool, is_structure: Callable[[Any], bool]) -> None:
    """Like `assert_same`, with a shorter message, and with `is_structure` to tell structures from leaves."""
    try:
        _compare(one, other, check_types, is_structure)
    except (TypeError, ValueError) as error:
        text = (
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_told(one)}\n\nSecond structure: {_told(other)}\n\nMore specifically: {error}"
        )
        raise type(error)(text) from None


class _Dot:
    """A placeholder for a leaf in messages."""

    def __repr__(self) -> str:
        return "."


def _shape(structure: Any) -> str:
    return str(mapped(lambda leaf: _Dot(), structure, is_nested))


def _told(value: Any) -> str:
    name = type(value).__name__
    return f"type={name} str={value}"


def _compare(one: Any, other: Any, check_types: bool, is_structure: Callable[[Any], bool]) -> None:
    nested = is_structure(one)
    if nested != is_structure(other):
        first, second = (one, other) if nested else (other, one)
        text = f'Substructure "{_told(first)}" is a sequence, while substructure "{_told(second)}" is not'
        raise ValueError(text)
    if not nested:
        return
    if check_types:
        _compare_types(one, other)
    if has_parts(one) and has_parts(other) and not are_alike(one, other):
        raise ValueError(f"Incompatible CompositeTensor TypeSpecs: {spec_text(one)} vs. {spec_text(other)}")
    values, other_values = list(values_of(one)), list(values_of(other))
    for value, other_value in zip(values, other_values):
        _compare(value, other_value, check_types, is_structure)
    if len(values) != len(other_values):
        raise ValueError(
            "The two structures don't have the same number of elements. "
            f"First structure: {_told(one)}. Second structure: {_told(other)}"
        )


def same_namedtuples(one: Any, other: Any) -> bool:
    """Whether two named tuples have the same name and fields."""
    return type(one).__name__ == type(other).__name__ and one._fields == other._fields


def is_namedtuple(value: Any) -> bool:
    """Whether the value is a named tuple."""
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _compare_types(one: Any, other: Any) -> None:
    lists = isinstance(one, list) and isinstance(other, list)
    mappings = isinstance(one, Mapping) and isinstance(other, Mapping)
    namedtuples = is_namedtuple(one) and is_namedtuple(other)
    specified = type(spec_of(one)) is type(spec_of(other))  # for example datasets, whatever their classes
    named = namedtuples and same_namedtuples(one, other)
    alike = specified or lists or mappings or named
    if not alike:
        raise TypeError(
            "The two namedtuples don't have the same sequence type. "
            f"First structure {_told(one)} has type {type(one).__name__}, "
            f"while second structure {_told(other)} has type {type(other).__name__}"
        )
    if mappings and set(one) != set(other):
        raise ValueError(
            "The two dictionaries don't have the same set of keys. "
            f"First structure has keys {_told(list(one))}, while second structure has keys {_told(list(other))}"
        )
