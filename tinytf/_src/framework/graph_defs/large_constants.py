"""Passes large constants of a `GraphDef` to the engine separately, so that they are not copied with the message."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from tinytf._src import protos
from tinytf._src.framework.declarations.op_spec import declared_ops, op_spec
from tinytf._src.framework.graph_defs.varint import varint
from tinytf._src.framework.values import dtypes

_FEW = 1 << 14  # constants with fewer elements stay in the message
_NOTHING: Mapping[int, np.ndarray] = MappingProxyType({})
_NODE = b"\x0a"  # tag of a node in a serialized GraphDef

Value = tuple[str, np.ndarray, int, tuple[int, ...]]  # name of the node, elements, type number, shape


def split(graph_def: Any, contents: Mapping[int, np.ndarray] = _NOTHING) -> tuple[bytes, list[Value]]:
    """The serialized `GraphDef` without the values of large constants, and a list of these values.

    Args:
      contents: byte arrays of tensors that the message lacks, by the index of the node with the tensor in its attr
        `value`.
    """
    # Computing the size of a message copies it, so the shapes tell which constants are large.
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
    """The value of a large constant whose elements are in the message, or in `content`, in memory layout; None for
    other nodes."""
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
    """The NumPy dtypes for which any bytes are valid, by type number."""
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
