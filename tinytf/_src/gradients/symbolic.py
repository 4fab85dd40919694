"""Gradients of function calls as SymbolicGradient operations, for functions without a gradient of their own."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src import protos
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.functions import name_attr_list
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.gradient_arrays import names_of_inputs, note_call


def symbolic_gradient(op: Any, *grads: Any) -> list[Any]:
    """The gradients of a call's inputs."""
    attrs = dict(op.node_def.attr)
    if op._spec.is_function:
        return derived_of(op, op.type, attrs, grads)
    function = name_attr_list(op, "f")
    return derived_of(op, function.name, {**attrs, **function.attr}, grads)


def derived_of(op: Any, name: str, attrs: dict[str, Any], grads: Any) -> list[Any]:
    """Adds an operation that calls the derived gradient of a function with the inputs of `op`. Returns its outputs,
    None for handles that the function's results do not depend on."""
    graph, inputs = get_default_graph(), list(op.inputs)
    graph._functions.take(op.graph, name)
    function = protos.NameAttrList(name=name)
    for attr, value in attrs.items():
        function.attr[attr].CopyFrom(value)
    types = [_type_of_gradient(t) for t in inputs]
    unconnected: set[int] = set()
    if any(t.dtype == dtypes.resource for t in inputs):
        derivation = graph._functions.derivation(graph, name, {a: v.SerializeToString() for a, v in attrs.items()})
        if derivation is not None:
            types = [t.dtype.base_dtype for t in derivation.outputs]
            note_call(names_of_inputs(derivation.graph, derivation.inputs[: len(inputs)]), inputs, grads)
            unconnected = {i for i in derivation.unconnected if inputs[i].dtype == dtypes.resource}
    found = gen_ops.symbolic_gradient([*inputs, *grads], Tout=types, f=function)
    return [None if i in unconnected else gradient for i, gradient in enumerate(found)]


def _type_of_gradient(tensor: Any) -> dtypes.DType:
    """The type of an input's gradient: for a handle, the type of its variable, or float32 if that is unknown."""
    if tensor.dtype != dtypes.resource:
        return tensor.dtype.base_dtype
    held = tensor.graph._core.handle_info(tensor._key)
    return dtypes.float32 if held is None else dtypes.as_dtype(held[0])
