"""Attrs of imported nodes that their ops do not declare here."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.declarations.attr_values import plain_attr

# Attrs of later releases that do not influence results.
_HINTS = frozenset(("debug_name", "grad_a", "grad_b", "grad_x", "grad_y", "metadata", "validate_shape"))


@functools.cache
def _newer_attrs() -> dict[str, dict[str, list[Any]]]:
    """Op → attr → [kind, default], for attrs that releases after TensorFlow 1.15 added."""
    import json

    return json.loads(Path(__file__).with_name("newer_attrs.json").read_text())


def check_undeclared(op: str, key: str, data: bytes, name: str, producer_defaults: dict[str, Any]) -> None:
    """Raises ValueError unless an undeclared attr can be dropped: its value is the default that the producer declared,
    or the default in a later release.

    Args:
      data: serialized `AttrValue`.
      name: name of the node in this graph, for messages.
      producer_defaults: the attrs that the producer declared for the op, with their defaults.
    """
    value = protos.AttrValue.FromString(data)
    if key in producer_defaults and producer_defaults[key] == value:
        return
    text = (
        f"NodeDef mentions attr '{key}' not in {_core.op_summary(op)}; NodeDef: {{{{node {name}}}}}. (Check whether your "
        "GraphDef-interpreting binary is up to date with your GraphDef-generating binary.)."
    )
    newer = _newer_attrs().get(op, {}).get(key)
    if newer is None:
        raise ValueError(text)
    if key in _HINTS:
        return
    given = plain_attr(None, value)
    given = given.decode(errors="replace") if isinstance(given, bytes) else given
    if given != newer[1] and given is not None and (given or newer[1]):
        raise ValueError(
            f"{text} TensorFlow 2 added the attr; tinytf supports its default {newer[1]!r}, but not {given!r}."
        )
