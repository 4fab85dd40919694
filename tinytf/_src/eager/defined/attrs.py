"""Translates options of `Defun` and of its calls to attrs."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph


def parsed_attrs(func_name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Returns AttrValues by name. ValueError for unknown options and for values of other types."""
    options = dict(options)
    attrs: dict[str, Any] = {}
    noinline = options.pop("noinline", None)
    if noinline is not None:
        attrs["_noinline"] = protos.AttrValue(b=bool(noinline))
    attrs["_disable_call_shape_inference"] = protos.AttrValue(b=True)
    compiled = options.pop("compiled", None)
    apart = options.pop("separate_compiled_gradients", None)
    if compiled is not None:
        attrs["_XlaCompile"] = protos.AttrValue(b=bool(compiled))
        attrs["_XlaSeparateCompiledGradients"] = protos.AttrValue(b=bool(apart))
        scope = None if executing_eagerly() else get_default_graph()._scopes.open.attrs.get("_XlaScope")
        attrs["_XlaScope"] = scope or protos.AttrValue(s=f"function_{func_name}".encode())
    for name in list(options):
        if name.startswith("experimental_"):
            attrs[name] = _value(name, options.pop(name), (bool, int, float, str))
        elif name in ("_implements", "_reference"):
            attrs[name] = _value(name, options.pop(name), (str,))
    if options:
        raise ValueError(f"Unknown keyword arguments: {options.keys()}")
    return attrs


def _value(name: str, value: Any, types: tuple[type, ...]) -> Any:
    if not isinstance(value, types):
        raise ValueError(f"Unsupported attribute type for {name} with type {type(value)}")
    if isinstance(value, str):
        return protos.AttrValue(s=value.encode())
    field = "b" if isinstance(value, bool) else "i" if isinstance(value, int) else "f"
    return protos.AttrValue(**{field: value})
