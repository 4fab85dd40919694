"""The attrs of an imported node: checked against the declaration, with errors that name node and attr."""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

from tinytf.framework.attr_values import plain_attr, shape_tuple
from tinytf.framework.op_spec import AttrSpec, OpSpec
from tinytf.framework.op_summary import op_summary

# Attrs of later releases whose value changes no result.
_HINTS = frozenset(("debug_name", "grad_a", "grad_b", "grad_x", "grad_y", "metadata", "validate_shape"))
# Scalars could not be told from unknown shapes before this version.
_FIRST_WITH_SCALAR_PLACEHOLDERS = 22
_KINDS = {"s": "string", "i": "int", "f": "float", "b": "bool", "type": "type", "shape": "shape", "tensor": "tensor"}


def node_attrs(spec: OpSpec, node: Any, name: str, producer: int, producer_defaults: dict[str, Any]) -> dict[str, Any]:
    """The attrs of a NodeDef as the core takes them, but for defaults, which are the core's.

    Args:
      name: what the node is called here, for messages.
      producer: version of the GraphDef.
      producer_defaults: attrs that the producer declared, with their defaults. They are left out where they are not
        declared here, as are those of TensorFlow 2.

    ValueError, which names node and attr, for what is missing, unknown, or of another kind than declared.
    """
    attrs = {}
    for key, value in node.attr.items():
        declared = spec.attr_by_name.get(key)
        if declared is None and not key.startswith("_"):
            if key not in producer_defaults or producer_defaults[key] != value:
                _check_newer(spec, key, value, name)
            continue
        attrs[key] = _content(spec, declared, key, value, name)
    missing = [f"'{a.name}'" for a in reversed(spec.attrs) if not a.has_default and a.name not in attrs]
    if missing:
        raise ValueError(
            f"NodeDef missing attr{'s' if len(missing) > 1 else ''} {', '.join(missing)} from {op_summary(spec.name)}; "
            f"NodeDef: {{{{node {name}}}}}"
        )
    if spec.name == "Placeholder" and producer < _FIRST_WITH_SCALAR_PLACEHOLDERS and attrs.get("shape") == ():
        attrs["shape"] = None
    return attrs


@functools.cache
def _newer_attrs() -> dict[str, dict[str, list[Any]]]:
    """Op → attr → [kind, default] of attrs that TensorFlow 1.15 does not have, but a later release."""
    return json.loads(Path(__file__).with_name("newer_attrs.json").read_text())


def _check_newer(spec: OpSpec, key: str, value: Any, name: str) -> None:
    """ValueError unless an attr that is not declared can be left out: one of a later release, with its default."""
    text = (
        f"NodeDef mentions attr '{key}' not in {op_summary(spec.name)}; NodeDef: {{{{node {name}}}}}. (Check whether your "
        "GraphDef-interpreting binary is up to date with your GraphDef-generating binary.)."
    )
    newer = _newer_attrs().get(spec.name, {}).get(key)
    if newer is None:
        raise ValueError(text)
    if key in _HINTS:
        return
    given = plain_attr(None, value)
    given = given.decode(errors="replace") if isinstance(given, bytes) else given
    if given != newer[1] and given is not None and (given or newer[1]):
        raise ValueError(
            f"{text} TensorFlow 2 added the attr; tinytf knows what its default {newer[1]!r} means, but not {given!r}."
        )


def _content(spec: OpSpec, declared: AttrSpec | None, key: str, value: Any, name: str) -> Any:
    """One attr as the core takes it. ValueError if it is not of the kind that is declared or has no sense."""
    kind = _kind_of(key, declared)
    if kind is not None:
        _check_kind(spec, kind, key, value, name)
    try:
        if kind == "tensor":
            _check_size(value.tensor)
        if key == "_output_shapes":
            return [shape_tuple(shape) for shape in value.list.shape]
        content = plain_attr(declared, value)
        if key == "_class":
            for group in content:
                group.decode()
        return content
    except (TypeError, ValueError, OverflowError, MemoryError) as e:
        reason = "it is not UTF-8" if isinstance(e, UnicodeDecodeError) else str(e) or type(e).__name__
        raise ValueError(
            f"Node '{name}': attr '{key}' has a value that {spec.name} cannot take: {reason}; NodeDef: {{{{node {name}}}}}"
        ) from None


def _kind_of(key: str, declared: AttrSpec | None) -> str | None:
    if declared is not None:
        return declared.kind
    return {"_class": "list(string)", "_output_shapes": "list(shape)"}.get(key)


def _check_kind(spec: OpSpec, kind: str, key: str, value: Any, name: str) -> None:
    field = value.WhichOneof("value")
    found = _KINDS.get(field, field)
    if field == "list":
        filled = [_KINDS.get(f.name, f.name) for f, _ in value.list.ListFields()]
        if not filled and kind.startswith("list("):
            return
        found = f"list({filled[0]})" if filled else "list"
        if len(filled) > 1:
            found = "list of several kinds"
    if found == kind:
        return
    where = f"\n\t for attr '{key}'\n\t; NodeDef: {{{{node {name}}}}}; {op_summary(spec.name)}"
    if field is None:
        raise ValueError(f"AttrValue missing value with expected type '{kind}'{where}")
    raise ValueError(f"AttrValue had value with type '{found}' when '{kind}' expected{where}")


def _check_size(tensor: Any) -> None:
    """ValueError for a TensorProto whose shape is not known, or larger than any."""
    extents = [dim.size for dim in tensor.tensor_shape.dim]
    if tensor.tensor_shape.unknown_rank or min(extents, default=0) < 0:
        raise ValueError(f"the tensor has no shape: {extents if extents else 'unknown rank'}")
    if math.prod(extents) >= 1 << 63:
        raise ValueError(f"Shape {extents} has too many elements")
