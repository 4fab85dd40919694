"""`OptionsBase`: objects whose properties are options of a fixed type, and their merging."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _none() -> None:
    return None


def create_option(name: str, ty: Any, docstring: str, default_factory: Callable[[], Any] = _none) -> Any:
    """Returns a property of an `OptionsBase` class.

    Args:
      name: str, name of the property.
      ty: type, or tuple of types, of its values; the setter raises TypeError for others.
      docstring: str.
      default_factory: callable that returns the value of an option that is not set.
    """

    def get(options: Any) -> Any:
        if name not in options._options:
            options._options[name] = default_factory()
        return options._options[name]

    def put(options: Any, value: Any) -> None:
        if not isinstance(value, ty):
            raise TypeError(f'Property "{name}" must be of type {ty}, got: {value!r} (type: {type(value)!r})')
        options._options[name] = value

    return property(get, put, None, docstring)


class OptionsBase:
    """Base class of options. Attributes that are no options cannot be set: AttributeError."""

    _options: dict[str, Any]

    def __init__(self) -> None:
        object.__setattr__(self, "_options", {})

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, self.__class__):
            return NotImplemented
        names = {*self._options, *other._options}
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __ne__(self, other: Any) -> bool:
        return not self.__eq__(other) if isinstance(other, self.__class__) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # options are mutable

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(self, name):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)


def merge_options(*options_list: Any) -> Any:
    """Returns options with the values that are set in any of the arguments, which must be of one class.

    Raises:
      TypeError: for arguments of several classes, or that are no options.
      ValueError: without arguments, or if two of them have different values of an option.
    """
    if not options_list:
        raise ValueError("At least one options should be provided")
    kind = type(options_list[0])
    for options in options_list:
        if not isinstance(options, kind):
            raise TypeError(f"Incompatible options type: {type(options)!r} vs {kind!r}")
    if not isinstance(options_list[0], OptionsBase):
        raise TypeError("The inputs should inherit from `OptionsBase`")
    defaults, result = kind(), kind()
    for options in options_list:
        for name in options._options:
            _merge(name, result, getattr(options, name), getattr(defaults, name))
    return result


def _merge(name: str, result: Any, value: Any, default: Any) -> None:
    """Sets an option of `result` to a value that another one has."""
    known = getattr(result, name)
    if value == default:
        return
    if known == default:
        setattr(result, name, value)
    elif isinstance(known, OptionsBase):
        setattr(result, name, merge_options(known, value))
    elif known != value:
        raise ValueError(f"Cannot merge incompatible values ({known!r} and {value!r}) of option: {name}")
