"""Reads and writes protobuf messages in binary or text form."""

from __future__ import annotations

import os
from typing import Any

from tinytf._src.checkpoint.durable_files import replace_file
from tinytf._src.platform import file_io

# Wire types of protobuf, and sizes of fixed-size fields.
_VARINT, _BYTES = 0, 2
_SIZES = {_VARINT: 0, 1: 8, _BYTES: 0, 5: 4}


def write_message(filename: str, message: Any, as_text: bool) -> None:
    """Writes a message to a file atomically; creates the directory."""
    from google.protobuf import text_format

    write_content(filename, text_format.MessageToString(message) if as_text else message.SerializeToString())


def write_content(filename: str, content: str | bytes) -> None:
    """Does the same for a message that is serialized already."""
    folder = os.path.dirname(filename)
    if folder:
        file_io.recursive_create_dir(folder)
    replace_file(filename, content)


def read_message(filename: str, kind: Any, missing: str = "File {} does not exist.") -> Any:
    """Reads a message of class `kind` in binary or text form. OSError if the file does not exist (with the text
    `missing`) or has no such message."""
    from google.protobuf import message as any_message
    from google.protobuf import text_format

    if not file_io.file_exists(filename):
        raise OSError(missing.format(filename))
    content = file_io.read_file_to_string(filename, binary_mode=True)
    try:
        return kind.FromString(content)
    except any_message.DecodeError:
        pass
    try:
        return text_format.Merge(content.decode(), kind())
    # RecursionError: deeply nested messages
    except (text_format.ParseError, UnicodeDecodeError, RecursionError) as error:
        raise OSError(f"Cannot parse file {filename}: {end_of_cut_message(content, kind) or error}.") from None


def end_of_cut_message(content: bytes, kind: Any) -> str | None:
    """Describes where bytes end that are the truncated beginning of a message; None for anything else."""
    fields = {field.number: field.name for field in kind.DESCRIPTOR.fields}
    at = 0
    while at < len(content):
        tag, at = _varint(content, at)
        number, wire_type = tag >> 3, tag & 7
        if number not in fields or wire_type not in _SIZES:
            return None
        size = _SIZES[wire_type]
        if wire_type == _BYTES:
            size, at = _varint(content, at)
        elif wire_type == _VARINT:
            _, at = _varint(content, at)
        at += size
        if at > len(content):
            where = f"in the middle of field {number} ({fields[number]}) of a {kind.DESCRIPTOR.name}"
            return f"it ends at byte {len(content)}, {where}; at least {at - len(content)} bytes are missing"
    return None


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """Decodes a varint; returns (number, end position). The end is beyond the content if that is truncated."""
    number = shift = 0
    while at < len(content):
        byte = content[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at
    return number, at + 1


def message_of(kind: Any, data: bytes, what: str) -> Any:
    """Parses bytes as a message of class `kind`. ValueError, which names `what`, if that fails."""
    from google.protobuf import message as any_message

    try:
        return kind.FromString(data)
    except any_message.DecodeError as error:
        raise ValueError(f"{what} is damaged: {error}") from None
