"""The events that a supervisor writes: the graph, its sessions' starts and ends, summaries."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.training import training_util
from tinytf._src.training.graph_files import write_graph


class SupervisorEvents:
    """Writes events by `writer`, and the graph file to `logdir`; neither if it is None.

    `global_step`: the tensor from which steps are read, or None.
    """

    def __init__(self, writer: Any, logdir: str | None, graph: Graph, meta_graph_def: Any, global_step: Any) -> None:
        self.writer = writer
        self._logdir = logdir
        self._graph = graph
        self._meta_graph_def = meta_graph_def
        self._global_step = global_step
        self._graph_was_added = False

    def reopen(self) -> None:
        """Opens the event file for another session."""
        if self.writer:
            self.writer.reopen()

    def write_graph(self) -> None:
        """Writes the graph file, and the graph's event unless the event file has it."""
        if self._logdir:
            write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
        if self.writer and not self._graph_was_added:
            self.writer.add_graph(self._graph)
            self.writer.add_meta_graph(self._meta_graph_def)
            self._graph_was_added = True

    def write_start(self, sess: Any) -> None:
        """Writes that a session begins at its global step."""
        if self._global_step is not None and self.writer:
            step = training_util.global_step(sess, self._global_step)
            self.writer.add_session_log(protos.SessionLog(status=protos.SessionLog.START), step)

    def write_summary(self, sess: Any, summary: Any, step: Any) -> None:
        """Writes a summary; `step` None: of the session's global step. RuntimeError without a writer."""
        if not self.writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if step is None and self._global_step is not None:
            step = training_util.global_step(sess, self._global_step)
        self.writer.add_summary(summary, step)

    def close(self) -> None:
        """Writes that the session ends, and closes the event file."""
        if self.writer:
            self.writer.add_session_log(protos.SessionLog(status=protos.SessionLog.STOP))
            self.writer.close()
            self._graph_was_added = False
