"""`tf.summary.FileWriter`: writes summaries, graphs and other events to event files."""

from __future__ import annotations

import os
import time
import warnings
from typing import Any

from tinytf._src import protos
from tinytf._src.checkpoint.meta_graph import create_meta_graph_def
from tinytf._src.checkpoint.meta_graph_bytes import meta_graph_bytes
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.graph_def import graph_def_bytes
from tinytf._src.framework.logs.log import logger
from tinytf._src.framework.sites.users_site import users_frame
from tinytf._src.framework.values.numpy_compat import only_element
from tinytf._src.platform import file_io
from tinytf._src.platform.local_path import decoded
from tinytf._src.summary.event_file import EventFile
from tinytf._src.summary.plugin_asset import write_plugin_assets

_LONGEST_WAIT = 0.1  # seconds for which events are collected before writing


@tf_export("summary.FileWriter")
class FileWriter:
    """Writes events to an event file in `logdir` for TensorBoard.

    Adding an event never waits for the disk: a background thread writes. After 0.1 seconds, or `flush_secs` if that is
    less, the event is in the file, even if the process crashes then. If the thread cannot write, the next call raises
    its error, once; the call takes effect all the same, and the events are written again later. ResourceExhaustedError
    if more than 256 MiB are pending.

    The first event creates the file; existing files are never overwritten. Thread-safe. In a forked child the writer
    begins a new file.

    Args:
      logdir: the directory; created if missing.
      graph: a `Graph` whose GraphDef and MetaGraphDef become the first events, or None.
      max_queue: ignored; the queue is limited by memory only.
      flush_secs: seconds, see above; values above 0.1 have no effect.
      graph_def: a `GraphDef` in place of `graph`, or None.
      filename_suffix: suffix of file names; None: '' or, with a session, ".v2".
      session: if given, writers with the same session and `logdir` share one file, which the session's operations write
        to, too (`tf.contrib.summary.create_file_writer`).

    Raises:
      RuntimeError: in eager execution, and for a closed session.
      TypeError: if `session` is not a session.

    Example:
      writer = tf.summary.FileWriter("/tmp/logs", sess.graph)
      writer.add_summary(sess.run(merged_summary), global_step=1)
      writer.close()
    """

    def __init__(
        self,
        logdir: Any,
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        graph_def: Any = None,
        filename_suffix: Any = None,
        session: Any = None,
    ) -> None:
        if executing_eagerly():
            raise RuntimeError(
                "tf.summary.FileWriter is not compatible with eager execution. Use tf.contrib.summary instead."
            )
        self._logdir = logdir = os.fspath(logdir) if isinstance(logdir, os.PathLike) else logdir
        engine = None if session is None else _local_engine(session)
        suffix = ("" if session is None else ".v2") if filename_suffix is None else decoded(filename_suffix)
        delay = min(float(flush_secs), _LONGEST_WAIT)
        file_io.recursive_create_dir(logdir)
        self._tags_of_runs: set[Any] = set()
        self._file = EventFile(logdir, engine, suffix, delay)
        if isinstance(graph, Graph) and graph_def is None:
            content = graph_def_bytes(graph, add_shapes=True)
            self.add_graph_bytes(graph, content, meta_graph_bytes(graph, None, content))
        elif graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)
            self.add_meta_graph(create_meta_graph_def(graph_def=graph_def or graph))

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, unused_type: Any, unused_value: Any, unused_traceback: Any) -> None:
        self.close()

    def get_logdir(self) -> Any:
        """Returns the directory."""
        return self._logdir

    def _takes_events(self) -> bool:
        """Returns whether the writer is open; warns if it is closed."""
        if self._file.is_closed:
            frame = users_frame()
            warnings.warn_explicit(
                "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is explicitly "
                "reopened.",
                UserWarning,
                frame.f_code.co_filename if frame else "",
                frame.f_lineno if frame else 0,
            )
        return not self._file.is_closed

    @called_by_users
    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Adds a summary event. Only the first value of each tag keeps its metadata, as readers remember them.

        Args:
          summary: a `Summary` message, or its bytes, as summary operations yield them.
          global_step: int, or None for 0.
        """
        if not isinstance(summary, bytes):
            summary = _message(summary, protos.Summary).SerializeToString()
        if not self._takes_events():
            return
        if not self._file.events.add_summary(summary, _step(global_step)):
            protos.Summary.FromString(summary)  # raises an error if the bytes are invalid

    @called_by_users
    def add_event(self, event: Any) -> None:
        """Adds an `Event` message unchanged, its time included."""
        event = _message(event, protos.Event)
        if self._takes_events():
            self._file.events.add(event.SerializeToString())

    @called_by_users
    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Adds a `SessionLog` message as an event; `global_step`: int, or None for 0."""
        log = _message(session_log, protos.SessionLog)
        if self._takes_events():
            self._add(protos.Event(session_log=log), global_step)

    @called_by_users
    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Adds a graph.

        Args:
          graph: a `Graph`, which is written with all static shapes, along with the files of its `PluginAsset`s; or a
            `GraphDef`.
          global_step: int, or None for 0.
          graph_def: a `GraphDef` in place of `graph`, or None.

        Raises:
          TypeError: for other types.
          ValueError: if both are given.
        """
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        given = graph if graph_def is None else graph_def
        if isinstance(given, Graph):
            content = graph_def_bytes(given, add_shapes=True)
            write_plugin_assets(given, self._logdir)
        elif protos.is_message(given, "GraphDef"):
            logger().warning(
                "Passing a `GraphDef` to the SummaryWriter is deprecated. Pass a `Graph` object instead, such as "
                "`sess.graph`."
            )
            content = given.SerializeToString()
        else:
            raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")
        if self._takes_events():
            self._add(protos.Event(graph_def=content), global_step)

    def add_graph_bytes(self, graph: Graph, graph_def: bytes, meta_graph: bytes) -> None:
        """Adds a graph given the serialized `GraphDef` with shapes and the serialized `MetaGraphDef`."""
        write_plugin_assets(graph, self._logdir)
        if self._takes_events():
            self._add(protos.Event(graph_def=graph_def), None)
            self._add(protos.Event(meta_graph_def=meta_graph), None)

    @called_by_users
    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Adds a `MetaGraphDef` message; `global_step`: int, or None for 0. TypeError for other types."""
        if not protos.is_message(meta_graph_def, "MetaGraphDef"):
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        if self._takes_events():
            self._add(protos.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    @called_by_users
    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Adds the `RunMetadata` of a step.

        Args:
          run_metadata: a `RunMetadata` message.
          tag: str, a name that was not used before.
          global_step: int, or None for 0.

        Raises:
          ValueError: if the tag was used before.
          TypeError: if `tag` is not a string, or `run_metadata` is another type.
        """
        if tag in self._tags_of_runs:
            raise ValueError("The provided tag was already used for this event type")
        if not isinstance(tag, (str, bytes)):
            raise TypeError(f"{tag!r} has type {type(tag).__name__}, but expected one of: bytes, unicode")
        tagged = protos.TaggedRunMetadata(
            tag=tag, run_metadata=_message(run_metadata, protos.RunMetadata).SerializeToString()
        )
        if self._takes_events():
            self._tags_of_runs.add(tag)
            self._add(protos.Event(tagged_run_metadata=tagged), global_step)

    def _add(self, event: Any, global_step: Any) -> None:
        event.wall_time = time.time()
        event.step = _step(global_step)
        self._file.events.add(event.SerializeToString())

    @called_by_users
    def flush(self) -> None:
        """Waits until all added events are in the file."""
        if self._takes_events():
            self._file.events.flush()

    @called_by_users
    def close(self) -> None:
        """Flushes and closes the file. Does nothing if the writer is closed. Other writers of the same session and
        directory continue with a new file."""
        self._file.close()

    def reopen(self) -> None:
        """Makes a closed writer accept events again, in a new file. Does nothing if the writer is open."""
        self._file.reopen()


def _local_engine(session: Any) -> Any:
    """Returns the engine, of this process, of a session or monitored session."""
    raw_session = getattr(session, "raw_session", None)
    engine = getattr(session if raw_session is None else raw_session(), "_engine", None)
    local = getattr(engine, "local", None)
    if local is None:
        raise TypeError(f"session must be a tf.Session, got {session!r}")
    if local.closed():
        raise RuntimeError("Attempted to use a closed Session.")
    return local


def _step(global_step: Any) -> int:
    """Returns the step as int; None is 0. ValueError if it does not fit int64."""
    step = 0 if global_step is None else int(only_element(global_step))
    if not -(2**63) <= step < 2**63:
        raise ValueError(f"Value out of range: {step}")
    return step


def _message(message: Any, kind: Any) -> Any:
    """Returns the message, also one of TensorFlow's class of the same name, as class `kind`. TypeError for other
    types."""
    if isinstance(message, kind) or protos.is_message(message, kind.DESCRIPTOR.name):
        return protos.adopt(message)
    raise TypeError(f"Expected a {kind.DESCRIPTOR.name}, not {message!r}")
