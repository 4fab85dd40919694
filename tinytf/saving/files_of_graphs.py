"""Graphs of files, whose large constants are not in a message."""

from __future__ import annotations

from typing import Any

from tinytf import protos
from tinytf.platform.file_io import file_exists
from tinytf.saving.large_contents import Contents, meta_graph_without_large, put_back, saved_model_without_large
from tinytf.saving.message_files import read_message

_MUCH = 1 << 24  # bytes of constants


class MetaGraphOfFile:
    """A `MetaGraphDef` of a file, which an import gives to a graph without making a message of its large constants.

    It has the fields and methods of the message. What reads more of it than collections, signatures, savers and assets
    puts the constants into the message first, which is whole from then on. For one thread at a time.

    Args:
      message: the `MetaGraphDef`.
      contents: what it lacks, see `large_contents`.
    """

    __slots__ = ("_contents", "_message")

    def __init__(self, message: Any, contents: Contents) -> None:
        self._message, self._contents = message, contents

    @property
    def light(self) -> Any:
        """The message, without `contents`."""
        return self._message

    @property
    def contents(self) -> Contents:
        """What the message lacks now."""
        return self._contents

    def whole(self) -> Any:
        """The message with everything in it."""
        put_back(self._message.graph_def, self._contents)
        self._contents = {}
        return self._message

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # of protocols, as copies look for them
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
        """What callers get that asked for a message: this, if its constants are large together, else the message."""
        return self if sum(map(len, self._contents.values())) >= _MUCH else self.whole()


# Fields in which no constants are, and what tells of fields.
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
    """The `MetaGraphDef` of a file, which has it as bytes or as text. OSError if there is none."""
    found = meta_graph_without_large(filename) if file_exists(filename) else None
    return MetaGraphOfFile(*(found or (read_message(filename, protos.MetaGraphDef), {})))


def read_saved_model(filename: str) -> tuple[Any, list[MetaGraphOfFile]]:
    """The `SavedModel` of a file, likewise, and its graphs. The message is whole when they are."""
    found = saved_model_without_large(filename) if file_exists(filename) else None
    message, contents = found or (read_message(filename, protos.SavedModel), None)
    graphs = message.meta_graphs
    return message, [MetaGraphOfFile(*both) for both in zip(graphs, contents or [{} for _ in graphs], strict=True)]
