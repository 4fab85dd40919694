"""The steps of one save, ordered so that there is a complete checkpoint at any moment."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from tinytf._src.checkpoint.checkpoint_files import checkpoint_files
from tinytf._src.checkpoint.checkpoint_list import CheckpointList
from tinytf._src.checkpoint.checkpoint_state import meta_graph_filename, write_checkpoint_state
from tinytf._src.checkpoint.durable_files import durable_writes, make_durable
from tinytf._src.checkpoint.leftovers import nothing_left_of, remove_leftovers
from tinytf._src.checkpoint.message_files import write_content
from tinytf._src.checkpoint.meta_graph_bytes import meta_graph_bytes
from tinytf._src.checkpoint.snapshots import HeldValues
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.platform import file_io


class Values(Protocol):
    """The values of the variables that a saver writes."""

    def write(self, path: str) -> str:
        """Writes the present values to a checkpoint with that prefix; returns the checkpoint's name."""

    def take(self, path: str) -> HeldValues:
        """Takes the present values, for a checkpoint with that prefix that is written later."""


@dataclass
class GraphFile:
    """The graph file of a checkpoint."""

    graph: Graph
    saver_def: Any
    meta_graph: bytes | None  # the serialized MetaGraphDef, if it is known
    export: Callable[[str], Any] | None  # writes the file if the program's saver does that in its own way

    def write(self, filename: str) -> None:
        """Writes the graph in its state of this moment, unless the MetaGraphDef is known."""
        with self.graph.as_default():
            if self.export is not None:
                self.export(filename)
            else:
                write_content(filename, self.meta_graph or meta_graph_bytes(self.graph, self.saver_def))


@dataclass(frozen=True)
class SaveNames:
    """The names of the files of one save."""

    prefix: str  # as the program gave it
    path: str  # the prefix with the step number
    state_file: str
    graph_suffix: str

    @property
    def folder(self) -> str:
        """The directory of all files."""
        return os.path.dirname(self.prefix)

    @property
    def graph_file(self) -> str:
        """The name of the graph file."""
        return meta_graph_filename(self.path, self.graph_suffix)


@dataclass(frozen=True)
class SaveFormat:
    """How a saver writes all of its checkpoints."""

    version: int  # of SaverDef
    relative: bool  # whether the state file has relative paths
    durable: bool


@dataclass
class CheckpointWriter:
    """Writes one checkpoint: the values, the graph, and then the state file, which makes it the latest checkpoint; then
    deletes old ones."""

    names: SaveNames
    values: Values | HeldValues | None  # None: there are no values
    graph_file: GraphFile | None
    checkpoints: CheckpointList
    format: SaveFormat
    writes_state: bool
    is_first: bool  # first save of the saver with that prefix
    held_name: str = ""  # the name that the checkpoint with the held values will have

    def write(self) -> str | None:
        """Returns the checkpoint's name, or None without values.

        An error of writing the graph is raised only after the checkpoint is complete. ValueError if the directory does
        not exist.
        """
        if self.values is None:
            self._write_graph()
            return None
        try:
            with durable_writes(self.format.durable):
                with nothing_left_of(self.names.path):
                    saved = self.values.write(self.names.path)
                unwritten = self._error_of_graph()
                self._make_durable(saved)
                self._write_state(saved)
            self._delete_old()
        except (errors_impl.FailedPreconditionError, errors_impl.NotFoundError):
            if not file_io.is_directory(self.names.folder or "."):
                text = f"Parent directory of {self.names.prefix} doesn't exist, can't save."
                raise ValueError(text) from None
            raise
        if unwritten is not None:
            raise unwritten
        return saved

    def hold(self, values: Values) -> Callable[[], str | None]:
        """Takes the present values; returns the function that writes the checkpoint with them, once."""
        held = values.take(self.names.path)
        self.values, self.held_name = held, held.name
        return self.write

    def _write_graph(self) -> None:
        if self.graph_file is not None:
            self.graph_file.write(self.names.graph_file)

    def _error_of_graph(self) -> Exception | None:
        """Writes the graph; returns the error if that is impossible."""
        try:
            self._write_graph()
        except (errors_impl.OpError, ValueError, OSError) as error:
            return error
        return None

    def _make_durable(self, saved: str) -> None:
        if self.format.durable:
            make_durable([*checkpoint_files(saved), self.names.graph_file], self.names.folder)

    def _write_state(self, saved: str) -> None:
        if self.writes_state:
            self.checkpoints.add(saved)
            write_checkpoint_state(
                self.names.folder,
                saved,
                self.checkpoints.names,
                latest_filename=self.names.state_file,
                relative=self.format.relative,
            )

    def _delete_old(self) -> None:
        if self.writes_state:
            self.checkpoints.delete_leaving(self.format.version, self.names.graph_suffix)
            if self.is_first:
                remove_leftovers(self.names.prefix, self.names.state_file)
