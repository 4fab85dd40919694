"""Messages in files, as bytes or as text."""

from __future__ import annotations

import os
from typing import Any

from tinytf.platform import file_io
from tinytf.saving.durable_files import replace_file


def write_message(filename: str, message: Any, as_text: bool) -> None:
    """Writes a message, in one step for whoever reads the file. Makes the folder."""
    from google.protobuf import text_format

    write_content(filename, text_format.MessageToString(message) if as_text else message.SerializeToString())


def write_content(filename: str, content: str | bytes) -> None:
    """Writes a message that is text or bytes already, likewise."""
    folder = os.path.dirname(filename)
    if folder:
        file_io.recursive_create_dir(folder)
    replace_file(filename, content)


def read_message(filename: str, kind: Any, missing: str = "File {} does not exist.") -> Any:
    """The message of a class that a file has, as bytes or as text. OSError if there is no such file, with the text
    `missing`, or no such message in it."""
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
    except (text_format.ParseError, UnicodeDecodeError, RecursionError) as error:  # messages within one another
        raise OSError(f"Cannot parse file {filename}: {error}.") from None


def message_of(kind: Any, data: bytes, what: str) -> Any:
    """The message of a class that bytes are. ValueError, which says of what, if they are none."""
    from google.protobuf import message as any_message

    try:
        return kind.FromString(data)
    except any_message.DecodeError as error:
        raise ValueError(f"{what} is damaged: {error}") from None
