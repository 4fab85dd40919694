"""Graphs, nodes and declarations as TensorFlow's messages: `GraphDef`, `NodeDef`, `OpDef`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tinytf import _core
from tinytf.framework import dtypes, tensor_proto
from tinytf.framework.op_spec import ArgSpec, AttrSpec, op_spec

if TYPE_CHECKING:
    from tinytf.framework.graph import Graph
    from tinytf.framework.operation import Operation


def shape_proto(shape: Any) -> Any:
    """The `TensorShapeProto` of a shape as the core gives it: sizes, None or -1 for unknown ones; None for no rank."""
    from tinytf.interop import protos

    if shape is None:
        return protos.TensorShapeProto(unknown_rank=True)
    return protos.TensorShapeProto(dim=[{"size": -1 if size is None else size} for size in shape])


def _tensor(value: tuple[Any, ...]) -> Any:
    """The `TensorProto` of (array, number of the type), or (few elements, number, shape) of a compact constant."""
    array, number, *shape = value
    array = np.asarray(array)
    if number in dtypes._QUANTIZED:
        array = array.view(dtypes.as_dtype(number).as_numpy_dtype)
    proto = tensor_proto.ndarray_to_proto(array, *shape)
    proto.dtype = number  # types that share a NumPy type
    return proto


def _function(name: str) -> Any:
    from tinytf.interop import protos

    return protos.NameAttrList(name=name)


def _same(value: Any) -> Any:
    return value


# Kind of an attr → field of AttrValue (and of its list) and conversion to it.
_FIELDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "string": ("s", _same),
    "int": ("i", _same),
    "float": ("f", _same),
    "bool": ("b", _same),
    "type": ("type", _same),
    "shape": ("shape", shape_proto),
    "tensor": ("tensor", _tensor),
    "func": ("func", _function),
}


def attr_value(kind: str, value: Any) -> Any:
    """The `AttrValue` of an attr as the core gives it."""
    from tinytf.interop import protos

    message = protos.AttrValue()
    if kind.startswith("list("):
        field, convert = _FIELDS[kind[5:-1]]
        message.list.SetInParent()  # an empty list is a list, too
        getattr(message.list, field).extend(convert(item) for item in value)
        return message
    field, convert = _FIELDS[kind]
    converted = convert(value)
    if kind in ("shape", "tensor", "func"):
        getattr(message, field).CopyFrom(converted)
    else:
        setattr(message, field, converted)
    return message


def node_def(op: Operation) -> Any:
    """The `NodeDef` of an operation, with every attr: given, inferred and default ones."""
    from tinytf.interop import protos

    graph = op.graph
    node = protos.NodeDef(name=op.name, op=op.type, device=op.device)
    for key in graph._core.input_keys(op._id):
        source, index = graph._ops[(key >> 32) - 1], key & 0xFFFFFFFF
        node.input.append(source.name if index == 0 else f"{source.name}:{index}")
    node.input.extend(sorted(f"^{control.name}" for control in op.control_inputs))
    for name, (kind, value) in graph._core.attrs(op._id).items():
        node.attr[name].CopyFrom(attr_value(kind, value))
    return node


def graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> Any:
    """The `GraphDef` of a graph.

    Args:
      from_version: only operations with greater ids.
      add_shapes: add the attr `_output_shapes`, a list of the static shapes, to each node with outputs.
    """
    from tinytf.interop import protos

    message = protos.GraphDef()
    message.versions.CopyFrom(graph.graph_def_versions)
    for op in graph._ops[from_version or 0 :]:
        node = node_def(op)
        if add_shapes and op.outputs:
            shapes = [shape_proto(output._shape_tuple()) for output in op.outputs]
            node.attr["_output_shapes"].list.shape.extend(shapes)
        message.node.append(node)
    return message


def op_def(name: str) -> Any:
    """The `OpDef` of a declared op, without its documentation. RuntimeError if there is no such op."""
    from tinytf.interop import protos

    spec = op_spec(name)
    message = protos.OpDef(
        name=name,
        input_arg=[_arg_def(arg) for arg in spec.inputs],
        output_arg=[_arg_def(arg) for arg in spec.outputs],
        attr=[_attr_def(attr) for attr in spec.attrs],
        is_stateful=spec.is_stateful,
        is_commutative=spec.commutative,
    )
    definition = _core.op_def(name)
    assert definition is not None  # op_spec found it
    message.allows_uninitialized_input = definition["allows_uninitialized_input"]
    return message


def _arg_def(arg: ArgSpec) -> Any:
    from tinytf.interop import protos

    return protos.OpDef.ArgDef(
        name=arg.name,
        type=arg.type,
        type_attr=arg.type_attr,
        number_attr=arg.number_attr,
        type_list_attr=arg.type_list_attr,
        is_ref=arg.is_ref,
    )


def _attr_def(attr: AttrSpec) -> Any:
    from tinytf.interop import protos

    message = protos.OpDef.AttrDef(name=attr.name, type=attr.kind)
    if attr.has_default:
        message.default_value.CopyFrom(attr_value(attr.kind, attr.default))
    if attr.minimum is not None:
        message.has_minimum = True
        message.minimum = attr.minimum
    if attr.allowed_types:
        message.allowed_values.list.type.extend(attr.allowed_types)
    if attr.allowed_strings:
        message.allowed_values.list.s.extend(s.encode() for s in attr.allowed_strings)
    return message
