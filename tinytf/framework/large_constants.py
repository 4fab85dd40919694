"""Large constants of a `GraphDef`, which go to the engine as they are, and not in a copy of the whole message."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from tinytf import protos
from tinytf.framework import dtypes
from tinytf.framework.op_spec import declared_ops, op_spec
from tinytf.framework.varint import varint

_FEW = 1 << 14  # constants of fewer elements are copied with the rest
_NOTHING: Mapping[int, np.ndarray] = MappingProxyType({})
_NODE = b"\x0a"  # the tag of a node in a GraphDef

Value = tuple[str, np.ndarray, int, tuple[int, ...]]  # node, elements, number of their type, shape


def split(graph_def: Any, contents: Mapping[int, np.ndarray] = _NOTHING) -> tuple[bytes, list[Value]]:
    """The bytes of a `GraphDef` but for the values of its large constants, and these.

    Args:
      contents: the bytes of tensors that the message lacks, by the number of the node whose attr `value` they are.
    """
    # Asking a message for its size makes a copy of it, so the shapes of constants tell which are large.
    found = [_value(node, contents.get(i)) if _is_constant(node.op) else None for i, node in enumerate(graph_def.node)]
    if not contents and not any(found):
        return graph_def.SerializeToString(), []
    parts: list[bytes] = []
    for i, (node, value) in enumerate(zip(graph_def.node, found, strict=True)):
        if value:
            node = _without_value(node)
        elif i in contents:
            node = _with_content(node, contents[i])
        data = node.SerializeToString()
        parts += (_NODE, varint(len(data)), data)
    rest = protos.GraphDef()
    rest.library.CopyFrom(graph_def.library)
    rest.versions.CopyFrom(graph_def.versions)
    return b"".join([*parts, rest.SerializeToString()]), [value for value in found if value]


@functools.cache
def _is_constant(op: str) -> bool:
    return op in declared_ops() and op_spec(op).is_constant


def _value(node: Any, content: np.ndarray | None) -> Value | None:
    """The value of a large constant whose elements stand in the message, or beside it in `content`, as they do in memory; None
    for other nodes."""
    if "value" not in node.attr:
        return None
    tensor = node.attr["value"].tensor
    count = 1
    for dim in tensor.tensor_shape.dim:
        count *= dim.size
    if count < _FEW:
        return None
    dtype = _plain_dtypes().get(tensor.dtype)
    if dtype is None:
        return None
    data = tensor.tensor_content if content is None else content
    if len(data) != dtype.itemsize * count:
        return None
    shape = tuple(dim.size for dim in tensor.tensor_shape.dim)
    if min(shape) < 0:
        return None
    return node.name, np.frombuffer(data, dtype), tensor.dtype, shape


@functools.cache
def _plain_dtypes() -> dict[int, np.dtype]:
    """NumPy's types of numbers that any bytes are, by their numbers in messages."""
    plain = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    return {dtypes.as_dtype(name).as_datatype_enum: np.dtype(name) for name in (*plain, "complex64", "complex128")}


def _with_content(node: Any, content: np.ndarray) -> Any:
    whole = protos.NodeDef()
    whole.CopyFrom(node)
    whole.attr["value"].tensor.tensor_content = content.tobytes()
    return whole


def _without_value(node: Any) -> Any:
    small = protos.NodeDef(name=node.name, op=node.op, device=node.device, input=node.input)
    for key, value in node.attr.items():
        if key != "value":
            small.attr[key].CopyFrom(value)
    return small
