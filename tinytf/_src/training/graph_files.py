"""Writing of graphs to files, and reading of event files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.graph_def import graph_def_bytes
from tinytf._src.platform import file_io
from tinytf._src.platform.tf_record_reader import tf_record_iterator
from tinytf._src.training.graph_text import graph_text


@tf_export("io.write_graph", "train.write_graph")
@called_by_users
def write_graph(graph_or_graph_def: Any, logdir: str, name: str, as_text: bool = True) -> str:
    """Writes a graph to a file atomically; creates the directory.

    Args:
      graph_or_graph_def: Graph or `GraphDef`.
      logdir: str, directory.
      name: str, file name.
      as_text: bool, whether the file is in text format; otherwise it is binary.

    Returns:
      The path of the file.
    """
    if isinstance(graph_or_graph_def, Graph):
        return write_graph_bytes(graph_def_bytes(graph_or_graph_def), logdir, name, as_text)
    if isinstance(graph_or_graph_def, protos.GraphDef):
        return write_graph_bytes(graph_or_graph_def.SerializeToString(), logdir, name, as_text)
    from google.protobuf import text_format

    message = graph_or_graph_def
    return _write(text_format.MessageToString(message) if as_text else message.SerializeToString(), logdir, name)


def write_graph_bytes(graph_def: bytes, logdir: str, name: str, as_text: bool = True) -> str:
    """Does the same as `write_graph` for a serialized `GraphDef`."""
    return _write(graph_text(graph_def) if as_text else graph_def, logdir, name)


def _write(content: str | bytes, logdir: str, name: str) -> str:
    file_io.recursive_create_dir(logdir)
    path = os.path.join(logdir, name)
    file_io.atomic_write_string_to_file(path, content)
    return path


@tf_export("train.summary_iterator")
def summary_iterator(path: Any) -> Iterator[Any]:
    """Iterates over the `Event`s of an event file.

    Args:
      path: path of the file.

    Yields:
      `Event` protos. DataLossError is raised where the file is corrupt.
    """
    for record in tf_record_iterator(path):
        yield protos.Event.FromString(record)
