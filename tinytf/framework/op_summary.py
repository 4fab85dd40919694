"""An op's declaration on one line, as TensorFlow's messages show it: `Op<name=Add; signature=x:T, y:T -> z:T; …>`."""

from __future__ import annotations

from typing import Any

from tinytf.framework import dtypes
from tinytf.framework.op_spec import ArgSpec, AttrSpec, op_spec

_SHORT = {"float32": "float", "float64": "double", "float16": "half"}


def type_text(number: int) -> str:
    """A type as messages about nodes name it, for example "float" or "int32_ref"."""
    dtype = dtypes.as_dtype(number)
    base = dtype.base_dtype.name
    return _SHORT.get(base, base) + ("_ref" if dtype._is_ref_dtype else "")


def op_summary(name: str) -> str:
    """The declaration of an op on one line. RuntimeError if there is no such op."""
    spec = op_spec(name)
    inputs = ", ".join(_arg(arg) for arg in spec.inputs)
    outputs = ", ".join(_arg(arg) for arg in spec.outputs)
    parts = [f"Op<name={name}", f"signature={inputs} -> {outputs}", *(_attr(attr) for attr in spec.attrs)]
    if spec.commutative:
        parts.append("is_commutative=true")
    if spec.is_stateful:
        parts.append("is_stateful=true")
    return "; ".join(parts) + ">"


def _arg(arg: ArgSpec) -> str:
    text = arg.type_list_attr or arg.type_attr or type_text(arg.type)
    if arg.number_attr:
        text = f"{arg.number_attr}*{text}"
    return f"{arg.name}:Ref({text})" if arg.is_ref else f"{arg.name}:{text}"


def _attr(attr: AttrSpec) -> str:
    text = f"attr={attr.name}:{attr.kind}"
    if attr.has_default:
        text += f",default={_value(attr.kind, attr.default)}"
    if attr.minimum is not None:
        text += f",min={attr.minimum}"
    if attr.allowed_types:
        text += f",allowed={_value('list(type)', attr.allowed_types)}"
    elif attr.allowed_strings:
        text += f",allowed={_value('list(string)', attr.allowed_strings)}"
    return text


def _value(kind: str, value: Any) -> str:
    if kind.startswith("list("):
        return "[" + ", ".join(_value(kind[5:-1], item) for item in value) + "]"
    if kind == "type":
        return "DT_" + type_text(value).upper()
    if kind == "string":
        return '"' + (value.decode() if isinstance(value, bytes) else value) + '"'
    if kind == "bool":
        return "true" if value else "false"
    if kind == "float":
        return f"{value:.8g}"
    if kind == "shape":
        if value is None:
            return "<unknown>"
        return "[" + ",".join("?" if size in (None, -1) else str(size) for size in value) + "]"
    return str(value)
