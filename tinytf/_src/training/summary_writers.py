"""Event writers that steps of a graph write to, the default writer, and the condition for recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.context_variable import ContextVariable
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph, get_default_session
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import control_dependencies, device
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops import math_ops
from tinytf._src.training.training_util import get_or_create_global_step

_WRITERS = "_SUMMARY_WRITER_V2"  # The collection of the operations that create writers.
_MAX_QUEUE, _FLUSH_MILLIS, _SUFFIX = 10, 2 * 60 * 1000, ".v2"

_default_writer: ContextVariable[SummaryWriter | None] = ContextVariable("summary_writer", None)
_recording: ContextVariable[Any] = ContextVariable("summary_recording", None)


class SummaryWriter:
    """A writer of a graph. The operations of `summary_writer_initializer_op` create its resource."""

    def __init__(self, shared_name: str, create: Callable[[Any], Operation]) -> None:
        self._resource = gen_ops.summary_writer(shared_name=shared_name)
        self._create = create
        get_default_graph().add_to_collection(_WRITERS, create(self._resource))

    @contextmanager
    def as_default(self) -> Iterator[SummaryWriter]:
        """Context manager that makes this the default writer for summaries created in its body."""
        before = _default_writer.get()
        _default_writer.set(self)
        try:
            yield self
            self.flush()
        finally:
            _default_writer.set(before)

    def set_as_default(self) -> None:
        """Makes this the default writer for summaries created from now on."""
        _default_writer.set(self)

    def init(self) -> Operation:
        """Returns another operation that creates the writer."""
        return self._create(self._resource)

    def flush(self) -> Operation:
        """Returns an operation that waits until all events are in the file."""
        with device("cpu:0"):
            return gen_ops.flush_summary_writer(self._resource)

    def close(self) -> Operation:
        """Returns an operation that flushes and closes the writer."""
        with control_dependencies([self.flush()]), device("cpu:0"):
            return gen_ops.close_summary_writer(self._resource)


class NoopSummaryWriter:
    """A writer that does nothing."""

    @contextmanager
    def as_default(self) -> Iterator[None]:
        """Does nothing."""
        yield

    def set_as_default(self) -> None:
        """Does nothing."""

    def init(self) -> None:
        """Does nothing."""

    def flush(self) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing."""


def create_file_writer(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: str | None = None,
) -> Any:
    """Creates a writer of event files in a directory.

    Args:
      logdir: directory, which is created with the writer; None yields a writer that does nothing.
      max_queue: has no effect.
      flush_millis: optional maximum delay of events in milliseconds; at most 100 in any case.
      filename_suffix: optional suffix of the file names; defaults to ".v2".
      name: optional name; writers with one name are one in a session. Defaults to a name derived from `logdir`.
    """
    if logdir is None:
        return NoopSummaryWriter()
    logdir = str(logdir)
    with device("cpu:0"):
        max_queue = constant(_MAX_QUEUE) if max_queue is None else max_queue
        flush_millis = constant(_FLUSH_MILLIS) if flush_millis is None else flush_millis
        filename_suffix = constant(_SUFFIX) if filename_suffix is None else filename_suffix

        def create(resource: Any) -> Operation:
            return gen_ops.create_summary_file_writer(
                resource,
                logdir=logdir,
                max_queue=max_queue,
                flush_millis=flush_millis,
                filename_suffix=filename_suffix,
            )

        return SummaryWriter(f"logdir:{logdir}" if name is None else name, create)


def default_writer() -> SummaryWriter | None:
    """Returns the default writer, or None."""
    return _default_writer.get()


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Context manager in which summaries are written if a condition holds.

    Args:
      condition: bool, or bool scalar, or a function that returns one and is called for each summary; None means that
        none is written.
    """
    before = _recording.get()
    _recording.set(condition)
    try:
        yield
    finally:
        _recording.set(before)


def always_record_summaries() -> Any:
    """Returns a context manager in which summaries are written in each step."""
    return record_if(True)


def never_record_summaries() -> Any:
    """Returns a context manager in which summaries are not written."""
    return record_if(False)


def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> Any:
    """Returns a context manager in which summaries are written in each `n`-th global step. In eager execution, and in
    functions called there, each summary reads the step."""
    if global_step is None:
        global_step = get_or_create_global_step()

    def is_due() -> Any:
        return math_ops.equal(global_step % n, 0)

    if executing_eagerly():
        return record_if(is_due)
    with device("cpu:0"):
        return record_if(is_due())


def should_record_summaries() -> Any:
    """Returns a bool tensor that tells whether summaries created here are written."""
    condition = _recording.get()
    if callable(condition):
        condition = condition()
    return gen_ops.logical_and(True, False if condition is None else condition)


def summary_writer_initializer_op() -> list[Any]:
    """Returns the operations that create the writers of the default graph. Raises RuntimeError in eager execution."""
    if executing_eagerly():
        raise RuntimeError("tf.contrib.summary.summary_writer_initializer_op is only supported in graph mode.")
    return get_default_graph().get_collection(_WRITERS)


def create_writers(session: Any) -> Any:
    """Creates the writers of the default graph in a session, which defaults to the default session; returns the
    session.

    Raises ValueError if there is no session.
    """
    if session is None:
        session = get_default_session()
        if session is None:
            raise ValueError("session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    return session


def serialized_graph(graph: Any) -> bytes:
    """Serializes a graph, with the shapes of its outputs, or a GraphDef."""
    graph_def = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
    return graph_def.SerializeToString()


@tf_export("summary.all_v2_summary_ops")
def all_v2_summary_ops() -> list[Any] | None:
    """Returns the results of the functions of `tf.contrib.summary` in the default graph; None in eager execution."""
    if executing_eagerly():
        return None
    graph = get_default_graph()
    return graph.get_collection(GraphKeys._SUMMARY_COLLECTION)
