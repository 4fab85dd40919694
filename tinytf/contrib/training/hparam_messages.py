"""Conversion between hyperparameters and `HParamDef` messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tinytf._src import protos


def message_of(types: Mapping[str, tuple[type, bool]], values: Mapping[str, Any]) -> Any:
    """Returns the `HParamDef` of the values.

    `types` has, by name, the (element) type and whether the value is a list. Raises ValueError for unsupported types,
    and OverflowError or ValueError for integers outside int64.
    """
    message = protos.HParamDef()
    for name, (of_type, is_list) in types.items():
        kind, value = _kind(of_type), values[name]
        entry = message.hparam[name]
        if is_list:
            getattr(entry, f"{kind}_list").value.extend([_kept(kind, element) for element in value])
        else:
            setattr(entry, f"{kind}_value", _kept(kind, value))
    return message


def values_of(message: Any) -> dict[str, Any]:
    """Returns the values of an `HParamDef` by name. Raises TypeError for another object, ValueError for an entry
    without value."""
    if not protos.is_message(message, "HParamDef"):
        raise TypeError(f"hparam_def must be an HParamDef, not {type(message).__name__}")
    found = {}
    for name, entry in protos.adopt(message).hparam.items():
        field = entry.WhichOneof("kind")
        if field is None:
            raise ValueError(f"Hyperparameter {name} of the HParamDef has no value")
        kind, _, form = field.partition("_")
        value = getattr(entry, field)
        found[name] = [_read(kind, each) for each in value.value] if form == "list" else _read(kind, value)
    return found


def _kind(of_type: type) -> str:
    for kind, types in (("bool", bool), ("int64", int), ("bytes", (str, bytes)), ("float", float)):
        if issubclass(of_type, types):
            return kind
    raise ValueError(f"Unsupported parameter type: {of_type}")


def _kept(kind: str, value: Any) -> Any:
    return value.encode() if kind == "bytes" and isinstance(value, str) else value


def _read(kind: str, value: Any) -> Any:
    return value.decode() if kind == "bytes" else value
