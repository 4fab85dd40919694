"""Gradients of calls of functions that know no better: operations that yield what is derived from the functions."""

from __future__ import annotations

from typing import Any

from tinytf import protos
from tinytf._gen import gen_ops
from tinytf.framework import dtypes
from tinytf.framework.graph_functions import name_attr_list


def symbolic_gradient(op: Any, *grads: Any) -> list[Any]:
    """The gradients of the inputs of a call."""
    attrs = dict(op.node_def.attr)
    if op._spec.is_function:
        return derived_of(op, op.type, attrs, grads)
    function = name_attr_list(op, "f")
    return derived_of(op, function.name, {**attrs, **function.attr}, grads)


def derived_of(op: Any, name: str, attrs: dict[str, Any], grads: Any) -> list[Any]:
    """What an operation yields that calls the gradient of a function with what `op` takes."""
    inputs = list(op.inputs)
    function = protos.NameAttrList(name=name)
    for attr, value in attrs.items():
        function.attr[attr].CopyFrom(value)
    types = [dtypes.float32 if t.dtype == dtypes.resource else t.dtype.base_dtype for t in inputs]
    return list(gen_ops.symbolic_gradient([*inputs, *grads], Tout=types, f=function))
