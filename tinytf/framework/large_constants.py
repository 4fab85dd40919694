"""Large constants of a `GraphDef`, which go to the engine as they are, and not in a copy of the whole message."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tinytf import protos
from tinytf.framework import dtypes
from tinytf.framework.op_spec import declared_ops, op_spec
from tinytf.framework.varint import varint

_FEW = 1 << 14  # constants of fewer elements are copied with the rest
_NODE = b"\x0a"  # the tag of a node in a GraphDef

Value = tuple[str, np.ndarray, int, tuple[int, ...]]  # node, elements, number of their type, shape


def split(graph_def: Any) -> tuple[bytes, list[Value]]:
    """The bytes of a `GraphDef` but for the values of its large constants, and these."""
    # Asking a message for its size makes a copy of it, so the shapes of constants tell which are large.
    found = [_value(node) if _is_constant(node.op) else None for node in graph_def.node]
    if not any(found):
        return graph_def.SerializeToString(), []
    parts: list[bytes] = []
    for node, value in zip(graph_def.node, found, strict=True):
        data = (_without_value(node) if value else node).SerializeToString()
        parts += (_NODE, varint(len(data)), data)
    rest = protos.GraphDef()
    rest.library.CopyFrom(graph_def.library)
    rest.versions.CopyFrom(graph_def.versions)
    return b"".join([*parts, rest.SerializeToString()]), [value for value in found if value]


@functools.cache
def _is_constant(op: str) -> bool:
    return op in declared_ops() and op_spec(op).is_constant


def _value(node: Any) -> Value | None:
    """The value of a large constant whose elements stand in the message as they do in memory; None for other nodes."""
    if "value" not in node.attr:
        return None
    tensor = node.attr["value"].tensor
    count = 1
    for dim in tensor.tensor_shape.dim:
        count *= dim.size
    if count < _FEW:
        return None
    dtype = _plain_dtypes().get(tensor.dtype)
    if dtype is None or len(content := tensor.tensor_content) != dtype.itemsize * count:
        return None
    shape = tuple(dim.size for dim in tensor.tensor_shape.dim)
    if min(shape) < 0:
        return None
    return node.name, np.frombuffer(content, dtype), tensor.dtype, shape


@functools.cache
def _plain_dtypes() -> dict[int, np.dtype]:
    """NumPy's types of numbers that any bytes are, by their numbers in messages."""
    plain = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    return {dtypes.as_dtype(name).as_datatype_enum: np.dtype(name) for name in (*plain, "complex64", "complex128")}


def _without_value(node: Any) -> Any:
    small = protos.NodeDef(name=node.name, op=node.op, device=node.device, input=node.input)
    for key, value in node.attr.items():
        if key != "value":
            small.attr[key].CopyFrom(value)
    return small
