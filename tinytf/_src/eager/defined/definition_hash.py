"""The hash of a FunctionDef that TensorFlow appends to the names of functions without explicit names."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from tinytf._src.framework.values.tensor_util import MakeNdarray

_MASK = (1 << 64) - 1
_MULTIPLIER, _SHIFT = 0xC6A4A7935BD1E995, 47  # of MurmurHash64A
_SEED = 0xDECAFCAFFE


def definition_hash(definition: Any) -> str:
    """Returns eleven letters and digits that depend on signature, attrs, nodes and results."""
    value = _signature(definition.signature)
    for name in sorted(definition.attr):
        value = _combined(_attr(definition.attr[name]), _hash(name, value))
    value = _combined(_nodes(definition.node_def), value)
    for results in (definition.ret, definition.control_ret):
        for name in sorted(results):
            value = _hash(results[name], _hash(name, value))
    text = base64.urlsafe_b64encode(value.to_bytes(8, "little")).decode().rstrip("=")
    return text.replace("-", "a").replace("_", "A")


def _hash(data: Any, seed: int = _SEED) -> int:
    """Returns MurmurHash64A of a string (in UTF-8) or bytes."""
    if isinstance(data, str):
        data = data.encode()
    value = seed ^ (len(data) * _MULTIPLIER & _MASK)
    whole = len(data) // 8 * 8
    for begin in range(0, whole, 8):
        word = int.from_bytes(data[begin : begin + 8], "little") * _MULTIPLIER & _MASK
        word = (word ^ word >> _SHIFT) * _MULTIPLIER & _MASK
        value = (value ^ word) * _MULTIPLIER & _MASK
    if whole < len(data):
        value = (value ^ int.from_bytes(data[whole:], "little")) * _MULTIPLIER & _MASK
    value = (value ^ value >> _SHIFT) * _MULTIPLIER & _MASK
    return value ^ value >> _SHIFT


def _combined(a: int, b: int) -> int:
    return (a ^ (b + 0x9E3779B97F4A7800 + (a << 10) + (a >> 4))) & _MASK


def _message(message: Any, seed: int = _SEED) -> int:
    return _hash(message.SerializeToString(deterministic=True), seed)


def _signature(signature: Any) -> int:
    value = _SEED  # the hash of the signature's attrs, of which these functions have none
    for control in sorted(signature.control_output):
        value = _combined(value, _hash(control))
    plain = type(signature)()
    plain.CopyFrom(signature)
    plain.ClearField("control_output")
    return _message(plain, value)


def _nodes(nodes: Any) -> int:
    value = _SEED
    for node in sorted(nodes, key=lambda node: node.name):
        value = _combined(_node(node), _hash(node.name, value))
    return value


def _node(node: Any) -> int:
    value = _hash(node.device, _hash(node.op, _hash(node.name)))
    for name in node.input:  # control inputs come last, sorted
        if not name.startswith("^"):
            value = _hash(name, value)
    for name in sorted({name for name in node.input if name.startswith("^")}):
        value = _hash(name, value)
    for name in sorted(name for name in node.attr if not name.startswith("_")):
        value = _combined(_attr(node.attr[name]), _hash(name, value))
    return value


def _attr(attr: Any) -> int:
    if attr.HasField("tensor"):
        return _tensor(attr.tensor)
    if attr.HasField("func"):
        value = _hash(attr.func.name)
        for name in sorted(attr.func.attr):
            value = _combined(_attr(attr.func.attr[name]), _hash(name, value))
        return value
    return _message(attr)


def _tensor(tensor: Any) -> int:
    """Hashes the elements as stored in memory, whatever field holds them; strings are preceded by all their lengths."""
    array = MakeNdarray(tensor)
    plain = type(tensor)(dtype=tensor.dtype, tensor_shape=tensor.tensor_shape)
    if array.dtype == object:
        texts = [text if isinstance(text, bytes) else text.encode() for text in array.ravel()]
        plain.tensor_content = b"".join([*(_varint(len(text)) for text in texts), *texts])
    else:
        plain.tensor_content = np.ascontiguousarray(array).tobytes()
    return _message(plain)


def _varint(number: int) -> bytes:
    data = bytearray()
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*data, number])
