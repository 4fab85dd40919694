"""Graphs read from files, whose large constants are kept outside of the messages."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.large_contents import (
    Contents,
    meta_graph_without_large,
    put_back,
    saved_model_without_large,
)
from tinytf._src.checkpoint.message_files import read_message
from tinytf._src.platform.file_io import file_exists

_MUCH = 1 << 24  # bytes of constants


class MetaGraphOfFile:
    """A `MetaGraphDef` read from a file, which can be imported without copying its large constants into the message.

    It has the fields and methods of the message. Access to other fields than collections, signatures, saver and assets
    first puts the constants into the message. For one thread at a time.

    Args:
      message: the `MetaGraphDef` without large constants.
      contents: the large constants; see `large_contents`.
    """

    __slots__ = ("_contents", "_message")

    def __init__(self, message: Any, contents: Contents) -> None:
        self._message, self._contents = message, contents

    @property
    def light(self) -> Any:
        """The message without the large constants in `contents`."""
        return self._message

    @property
    def contents(self) -> Contents:
        """The large constants that are not in the message."""
        return self._contents

    def whole(self) -> Any:
        """Puts the large constants into the message and returns it."""
        put_back(self._message.graph_def, self._contents)
        self._contents = {}
        return self._message

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # special methods, which `copy` and others look up
            raise AttributeError(name)
        return getattr(self._message if name in _LIGHT_FIELDS else self.whole(), name)

    def __eq__(self, other: object) -> Any:
        return self.whole() == (other.whole() if isinstance(other, MetaGraphOfFile) else other)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return str(self.whole())

    def __repr__(self) -> str:
        return repr(self.whole())

    def as_told(self) -> Any:
        """Returns this object if its constants are large in total, else the complete message."""
        return self if sum(map(len, self._contents.values())) >= _MUCH else self.whole()


# Fields without constants, and the descriptor.
_LIGHT_FIELDS = frozenset(
    (
        "DESCRIPTOR",
        "meta_info_def",
        "saver_def",
        "collection_def",
        "signature_def",
        "asset_file_def",
        "object_graph_def",
    )
)


def read_meta_graph(filename: str) -> MetaGraphOfFile:
    """Reads a `MetaGraphDef` from a file, in binary or text form. OSError if there is none."""
    found = meta_graph_without_large(filename) if file_exists(filename) else None
    return MetaGraphOfFile(*(found or (read_message(filename, protos.MetaGraphDef), {})))


def read_saved_model(filename: str) -> tuple[Any, list[MetaGraphOfFile]]:
    """Reads a `SavedModel` from a file in the same way; returns it and its graphs. The message is complete when all of
    these are."""
    found = saved_model_without_large(filename) if file_exists(filename) else None
    message, contents = found or (read_message(filename, protos.SavedModel), None)
    graphs = message.meta_graphs
    return message, [MetaGraphOfFile(*both) for both in zip(graphs, contents or [{} for _ in graphs], strict=True)]
