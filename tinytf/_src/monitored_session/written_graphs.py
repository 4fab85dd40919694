"""The graphs that a hook writes beside checkpoints."""

from __future__ import annotations

from typing import Any

from tinytf._src.checkpoint.meta_graph import create_meta_graph_def
from tinytf._src.checkpoint.meta_graph_bytes import meta_graph_bytes
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.graph_def import graph_def_bytes
from tinytf._src.summary.file_writer import FileWriter
from tinytf._src.training.graph_files import write_graph_bytes


class WrittenGraphs:
    """Writes a session's graph, as a file of a directory and as events, unless it is the graph that was written
    last."""

    def __init__(self, folder: str, writer: Any) -> None:
        self._folder = folder
        self._writer = writer
        self._version: int | None = None  # of the graph that was written last

    def has(self, graph: Graph) -> bool:
        """Returns whether the graph was written last and did not change since then."""
        return self._version == graph.version

    def write(self, graph: Graph, saver_def: Any) -> bytes | None:
        """Writes the graph. Returns its serialized MetaGraphDef if that was written as an event, else None."""
        meta_graph = None
        content = graph_def_bytes(graph, add_shapes=True)
        write_graph_bytes(content, self._folder, "graph.pbtxt")
        with graph.as_default():
            if isinstance(self._writer, FileWriter):
                meta_graph = meta_graph_bytes(graph, saver_def, content)
                self._writer.add_graph_bytes(graph, content, meta_graph)
            else:  # another class of writer that the program put into the cache
                self._writer.add_graph(graph)
                self._writer.add_meta_graph(create_meta_graph_def(graph=graph, saver_def=saver_def))
        self._version = graph.version
        return meta_graph
