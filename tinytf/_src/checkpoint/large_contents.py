"""Reads files with graphs without the bytes of large constants, which are read separately, so that they are never held
twice."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from tinytf._src import protos
from tinytf._src.framework.graph_defs.varint import varint
from tinytf._src.platform.local_path import errors_about, local

Contents = dict[
    int, np.ndarray
]  # bytes of large tensors, by the index of the GraphDef's node whose attr `value` they belong to

_SMALL_FILE = 1 << 20  # smaller files are read as a whole
_LARGE = 1 << 16  # smaller constants stay in the message
_BUFFER = 1 << 18
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5  # wire types of protobuf
_FIXED = {_EIGHT: 8, _FOUR: 4}


def _tag(number: int) -> int:
    return number << 3 | _BYTES


# Tags of the fields on the way to a constant's bytes.
_META_GRAPH, _GRAPH_DEF, _NODE, _ATTR = _tag(2), _tag(2), _tag(1), _tag(5)
_ATTR_VALUE, _TENSOR, _CONTENT = _tag(2), _tag(8), _tag(4)
_KEY = bytes((_tag(1), 5)) + b"value"  # the first bytes of the entry of an attr with this name


class _OtherForm(Exception):
    """The bytes are not such a message, or have an unusual form."""


def meta_graph_without_large(filename: str) -> tuple[Any, Contents] | None:
    """Reads a `MetaGraphDef` from a file, without its large constants.

    Returns:
      The message and the contents it lacks; None for small files, and for files that do not have such a message in the
      usual form, which must be read as a whole, for example for an error message. OSError if the file does not exist.
    """
    found = _read(filename, protos.MetaGraphDef, _Reading.meta_graph)
    return None if found is None else (found[0], found[1][0])


def saved_model_without_large(filename: str) -> tuple[Any, list[Contents]] | None:
    """Reads a `SavedModel` from a file, without large constants. Returns the message and the contents that each of its
    graphs lacks, or None; see `meta_graph_without_large`."""
    return _read(filename, protos.SavedModel, _Reading.saved_model)


def put_back(graph_def: Any, contents: Contents) -> None:
    """Puts the contents of large constants into a `GraphDef`."""
    for number, content in contents.items():
        graph_def.node[number].attr["value"].tensor.tensor_content = content.tobytes()


def _read(filename: str, kind: Any, read: Callable[[_Reading, int], bytes]) -> tuple[Any, list[Contents]] | None:
    from google.protobuf import message as any_message

    path = local(filename)
    with errors_about(filename), open(path, "rb", _BUFFER) as file:
        size = os.fstat(file.fileno()).st_size
        if size < _SMALL_FILE:
            return None
        reading = _Reading(file)
        try:
            message = kind.FromString(read(reading, size))
        except (_OtherForm, any_message.DecodeError):
            return None
    return message, reading.contents


class _Reading:
    """Reads the messages of a file as bytes without large contents. Checks sizes against the rest of the enclosing
    message before allocating memory. For one thread."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._at = file, 0
        self.contents: list[Contents] = []
        self._node = 0
        self._cut: list[np.ndarray] = []

    def saved_model(self, size: int) -> bytes:
        """Reads a `SavedModel` of this size."""
        return self._message(size, {_META_GRAPH: self.meta_graph})

    def meta_graph(self, size: int) -> bytes:
        """Reads a `MetaGraphDef` of this size, and appends its large contents to `contents`."""
        self.contents.append({})
        self._node = 0
        return self._message(size, {_GRAPH_DEF: self._graph_def}, once=_GRAPH_DEF)

    def _graph_def(self, size: int) -> bytes:
        return self._message(size, {_NODE: self._node_def})

    def _node_def(self, size: int) -> bytes:
        number, self._node = self._node, self._node + 1
        if size < _LARGE:
            return self._bytes(size)
        data = self._message(size, {_ATTR: self._attr})
        if self._cut:
            # The last of equal attr names would count, so only one may be cut.
            if data.count(_KEY) != 1 or len(self._cut) != 1:
                raise _OtherForm
            self.contents[-1][number] = self._cut.pop()
        return data

    def _attr(self, size: int) -> bytes:
        if size < _LARGE:
            return self._bytes(size)
        before = len(self._cut)
        data = self._message(size, {_ATTR_VALUE: self._attr_value}, most=2)
        if len(self._cut) > before and not data.startswith(_KEY):
            raise _OtherForm
        return data

    def _attr_value(self, size: int) -> bytes:
        return self._message(size, {_TENSOR: self._tensor}, most=1)

    def _tensor(self, size: int) -> bytes:
        return self._message(size, {_CONTENT: self._content}, once=_CONTENT)

    def _content(self, size: int) -> bytes:
        data = self._bytes(size)
        if size < _LARGE:
            return data
        self._cut.append(np.frombuffer(data, np.uint8))
        return b""

    def _message(
        self, size: int, fields: dict[int, Callable[[int], bytes]], once: int | None = None, most: int | None = None
    ) -> bytes:
        """Reads a message; fields with tags in `fields` are replaced by the functions' results.

        Args:
          once: tag of a field that may occur only once, or None.
          most: maximal number of fields, or None.
        """
        end = self._at + size
        parts: list[bytes] = []
        count, seen = 0, False
        while self._at < end:
            tag = self._varint()
            wire_type = tag & 7
            if wire_type == _BYTES:
                length = self._varint()
                if length > end - self._at:
                    raise _OtherForm
                data = fields.get(tag, self._bytes)(length)
                parts += (varint(tag), varint(len(data)), data)
            elif wire_type == _VARINT:
                parts += (varint(tag), varint(self._varint()))
            elif wire_type in _FIXED:
                parts += (varint(tag), self._bytes(_FIXED[wire_type]))
            else:
                raise _OtherForm
            count += 1
            if (tag == once and seen) or (most is not None and count > most):
                raise _OtherForm
            seen = seen or tag == once
        if self._at != end:
            raise _OtherForm
        return b"".join(parts)

    def _bytes(self, size: int) -> bytes:
        data = self._file.read(size)
        if len(data) != size:
            raise _OtherForm
        self._at += size
        return data

    def _varint(self) -> int:
        number = shift = 0
        while shift < 70:
            byte = self._bytes(1)[0]
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7
        raise _OtherForm
