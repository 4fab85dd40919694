"""Hyperparameters: named values of fixed types that can be overridden from strings, dicts and JSON."""

from __future__ import annotations

import json
import numbers
import re
from collections.abc import Callable, Mapping
from typing import Any

from tinytf._src import protos
from tinytf.contrib.training.hparam_messages import message_of, values_of
from tinytf.python.framework.ops import register_proto_function

_ASSIGNMENT = re.compile(
    r"""(?P<name>[a-zA-Z][\w.]*)
    (\[\s*(?P<index>\d+)\s*\])?
    \s*=\s*
    ((?P<value>[^,\[]*)|\[(?P<list>[^\]]*)\])
    ($|,\s*)""",
    re.VERBOSE,
)


def parse_values(values: str, type_map: Mapping[str, type], ignore_unknown: bool = False) -> dict[str, Any]:
    """Parses assignments such as `"rate=0.1,sizes=[1,2],sizes[3]=4"`.

    Args:
      values: string of comma-separated assignments.
      type_map: dict from name to type; for lists the type of an element.
      ignore_unknown: bool, whether names that are not in `type_map` are skipped instead of raising ValueError.

    Returns:
      A dict from name to value: a scalar, a list, or, for assignments to list elements, a dict from index to element.

    Raises:
      ValueError: if the string is malformed, a value has the wrong type, a name is unknown or assigned twice.
    """
    found: dict[str, Any] = {}
    position = 0
    while position < len(values):
        match = _ASSIGNMENT.match(values, position)
        if match is None:
            raise ValueError(f"Malformed hyperparameter value: {values[position:]}")
        position = match.end()
        name = match["name"]
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(f"Unknown hyperparameter type for {name}")
        _assign(found, match, type_map[name], values)
    return found


def _assign(found: dict[str, Any], match: re.Match[str], of_type: type, values: str) -> None:
    name, index = match["name"], match["index"]
    parse: Callable[[str], Any] = _parse_bool if of_type is bool else of_type
    text = match["list"] if match["value"] is None else match["value"]
    if match["value"] is None and index is not None:
        raise ValueError("Assignment of a list to a list index.")
    if name in found and (index is None or not isinstance(found[name], dict)):
        raise _assigned_twice(name, values)
    try:
        if match["value"] is None:
            found[name] = [parse(element) for element in re.split("[ ,]", text) if element]
            return
        value = parse(text)
    except ValueError:
        raise ValueError(
            f"Could not parse hparam '{name}' of type '{of_type.__name__}' with value '{text}' in {values}"
        ) from None
    if index is None:
        found[name] = value
        return
    elements = found.setdefault(name, {})
    if int(index) in elements:
        raise _assigned_twice(f"{name}[{int(index)}]", values)
    elements[int(index)] = value


def _assigned_twice(name: str, values: str) -> ValueError:
    return ValueError(f"Multiple assignments to variable '{name}' in {values}")


def _parse_bool(text: str) -> bool:
    if text in ("true", "True"):
        return True
    if text in ("false", "False"):
        return False
    return bool(int(text))


def _of_type(name: str, of_type: type, value: Any) -> Any:
    """Converts a value to a type. Raises ValueError if that would change its kind, such as a string to a number."""
    if type(value) is of_type or of_type is type(None):
        return value
    fits = (
        isinstance(value, (str, bytes)) or not issubclass(of_type, (str, bytes)),
        isinstance(value, bool) == issubclass(of_type, bool),
        isinstance(value, numbers.Integral) or not issubclass(of_type, numbers.Integral),
        isinstance(value, numbers.Number) or not issubclass(of_type, numbers.Number),
    )
    if not all(fits):
        raise ValueError(f"Could not cast hparam '{name}' of type '{of_type}' from value {value!r}")
    return of_type(value)


class HParams:
    """Named values, accessible as attributes: `HParams(rate=0.1, sizes=[1, 2])`. Each keeps the type of its first
    value.

    Args:
      hparam_def: an `HParamDef` message with the values, as made by `to_proto`; if None, they are keyword arguments.
      model_structure: any object, stored for `get_model_structure`.
      **kwargs: the values by name; a list must not be empty.

    Raises:
      ValueError: if a name is reserved, a list is empty, or both `hparam_def` and keyword arguments are given.
      TypeError: if `hparam_def` is not an `HParamDef`.
    """

    _HAS_DYNAMIC_ATTRIBUTES = True

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        if hparam_def and kwargs:
            raise ValueError("hparam_def and initialization values are mutually exclusive")
        for name, value in (values_of(hparam_def) if hparam_def else kwargs).items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a value. Raises ValueError if the name is reserved or the value is an empty list."""
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Replaces a value. Raises KeyError for an unknown name and ValueError for a value of another type."""
        of_type, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_of_type(name, of_type, element) for element in value])
        else:
            if is_list:
                raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
            setattr(self, name, _of_type(name, of_type, value))

    def del_hparam(self, name: str) -> None:
        """Removes a value; does nothing if there is none of this name."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> HParams:
        """Overrides values from a string, see `parse_values`, and returns this object. Raises ValueError for invalid
        strings."""
        types = {name: of_type for name, (of_type, _) in self._hparam_types.items()}
        return self.override_from_dict(parse_values(values, types))

    def override_from_dict(self, values_dict: Mapping[str, Any]) -> HParams:
        """Overrides values from a dict and returns this object. Raises KeyError and ValueError as `set_hparam` does."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map: Mapping[str, Any]) -> HParams:
        """Deprecated name of `override_from_dict`."""
        return self.override_from_dict(values_map)

    def set_model_structure(self, model_structure: Any) -> None:
        """Stores any object."""
        self._model_structure = model_structure

    def get_model_structure(self) -> Any:
        """Returns the stored object."""
        return self._model_structure

    def to_json(self, indent: int | None = None, separators: Any = None, sort_keys: bool = False) -> str:
        """Returns the values as a JSON object; the arguments are passed to `json.dumps`."""
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json: str) -> HParams:
        """Overrides values from a JSON object and returns this object."""
        return self.override_from_dict(json.loads(values_json))

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns the values as an `HParamDef`, which stores floats as float32. `export_scope` is ignored.

        Raises:
          ValueError: if a type cannot be stored in the message.
        """
        return message_of(self._hparam_types, self.values())

    @staticmethod
    def from_proto(hparam_def: Any, import_scope: str | None = None) -> HParams:
        """Returns the hyperparameters in an `HParamDef`. `import_scope` is ignored."""
        return HParams(hparam_def=hparam_def)

    def values(self) -> dict[str, Any]:
        """Returns a dict of the values by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: str, default: Any = None) -> Any:
        """Returns a value, or `default` if there is none. Raises ValueError if `default` has another type than the
        value."""
        if key not in self._hparam_types:
            return default
        if default is not None:
            self._check_default(key, default)
        return getattr(self, key)

    def _check_default(self, key: str, default: Any) -> None:
        of_type, is_list = self._hparam_types[key]
        kind = f"list<{of_type}>" if is_list else str(of_type)
        text = f"Hparam '{key}' of type '{kind}' is incompatible with default={default}"
        if isinstance(default, list) != is_list:
            raise ValueError(text)
        for element in default if is_list else [default]:
            try:
                _of_type(key, of_type, element)
            except ValueError as error:
                raise ValueError(f"{text}. {error}") from None

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({sorted(self.values().items())})"


register_proto_function("hparams", protos.HParamDef, HParams.to_proto, HParams.from_proto)
