"""Summaries that a step writes itself, to the default writer: `tf.contrib.summary`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import control_dependencies, device, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.array_ops import identity, placeholder
from tinytf._src.ops.control_flow.smart_cond import smart_cond
from tinytf._src.ops.control_flow_ops import no_op
from tinytf._src.ops.logging.summary_ops import summary_scope
from tinytf._src.training.summary_writers import (
    create_writers,
    default_writer,
    serialized_graph,
    should_record_summaries,
)
from tinytf._src.training.training_util import get_or_create_global_step

_BAD_COLOR = (255, 0, 0, 255)


def _chosen(step: Any) -> Any:
    if step is None:
        return get_or_create_global_step()
    return step if isinstance(step, Tensor) else convert_to_tensor(step, dtypes.int64)


def _written(
    name: str, tensor: Any, family: str | None, write: Callable[[Any, str, str], Operation]
) -> Tensor | Operation:
    """Calls `write(resource of the writer, tag, scope)`; returns a bool tensor that tells whether the summary was
    written.
    """
    writer = default_writer()
    scope_now = get_default_graph().get_name_scope()

    def record() -> Tensor:
        with (
            name_scope(f"{scope_now}/" if scope_now else ""),
            summary_scope(name, family, values=[tensor]) as (tag, scope),
            control_dependencies([write(writer._resource, tag, scope)]),  # type: ignore[union-attr]
        ):
            return constant(True)

    if writer is None:
        return no_op()
    with device("cpu:0"):
        made = smart_cond(should_record_summaries(), record, lambda: constant(False), name="")
        if not executing_eagerly():
            get_default_graph().add_to_collection(GraphKeys._SUMMARY_COLLECTION, made)
    return made


@called_by_users
def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Tensor | Operation:
    """Writes a summary of a real scalar.

    Args:
      name, family: as in `tf.summary.scalar`.
      tensor: real scalar.
      step: optional int64 scalar, the step of the event; defaults to the global step.

    Returns:
      A bool scalar that tells whether the summary was written; a no-op if there is no writer.
    """
    return _written(
        name,
        tensor,
        family,
        lambda writer, tag, scope: gen_ops.write_scalar_summary(
            writer, _chosen(step), tag, identity(tensor), name=scope
        ),
    )


@called_by_users
def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Tensor | Operation:
    """Writes a histogram of finite real numbers. Arguments and result are as in `scalar`."""
    return _written(
        name,
        tensor,
        family,
        lambda writer, tag, scope: gen_ops.write_histogram_summary(
            writer, _chosen(step), tag, identity(tensor), name=scope
        ),
    )


@called_by_users
def generic(
    name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None
) -> Tensor | Operation:
    """Writes a tensor with `metadata`, a `SummaryMetadata` or its serialized bytes. Other arguments and the result are
    as in `scalar`.
    """

    def write(writer: Any, tag: str, scope: str) -> Operation:
        serialized = metadata
        if metadata is None or hasattr(metadata, "SerializeToString"):
            serialized = constant("" if metadata is None else metadata.SerializeToString())
        return gen_ops.write_summary(writer, _chosen(step), identity(tensor), tag, serialized, name=scope)

    return _written(name, tensor, family, write)


@called_by_users
def image(
    name: str,
    tensor: Any,
    bad_color: Any = None,
    max_images: int = 3,
    family: str | None = None,
    step: Any = None,
) -> Tensor | Operation:
    """Writes images, which are given as in `tf.summary.image`.

    `bad_color` replaces pixels that are not finite; it defaults to red. Other arguments and the result are as in
    `scalar`.
    """

    def write(writer: Any, tag: str, scope: str) -> Operation:
        color = constant(_BAD_COLOR, dtype=dtypes.uint8) if bad_color is None else bad_color
        return gen_ops.write_image_summary(
            writer, _chosen(step), tag, identity(tensor), color, max_images=max_images, name=scope
        )

    return _written(name, tensor, family, write)


@called_by_users
def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: str | None = None, step: Any = None
) -> Tensor | Operation:
    """Writes audio clips, which are given as in `tf.summary.audio`. Other arguments and the result are as in
    `scalar`.
    """
    return _written(
        name,
        tensor,
        family,
        lambda writer, tag, scope: gen_ops.write_audio_summary(
            writer, _chosen(step), tag, identity(tensor), sample_rate, max_outputs=max_outputs, name=scope
        ),
    )


@called_by_users
def graph(param: Any, step: Any = None, name: str | None = None) -> Operation:
    """Writes a graph, given as a string tensor with a serialized GraphDef; eager execution also accepts a Graph or
    GraphDef.

    Raises TypeError for anything else in graph mode.
    """
    if not executing_eagerly() and not isinstance(param, Tensor):
        raise TypeError(f"graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: {type(param)}")
    writer = default_writer()
    if writer is None:
        return no_op()
    with device("cpu:0"):
        if isinstance(param, Graph) or protos.is_message(param, "GraphDef"):
            param = serialized_graph(param)
        content = identity(param)
        return gen_ops.write_graph_summary(writer._resource, _chosen(step), content, name=name)


@called_by_users
def import_event(tensor: Any, name: str | None = None) -> Operation:
    """Writes a serialized `Event`, a string tensor, unchanged; a no-op if there is no writer."""
    writer = default_writer()
    return no_op() if writer is None else gen_ops.import_event(writer._resource, tensor, name=name)


@called_by_users
def flush(writer: Any = None, name: str | None = None) -> Operation:
    """Returns an operation that waits until all events of `writer` are in the file; defaults to the default writer."""
    writer = default_writer() if writer is None else writer
    if writer is None:
        return no_op()
    with device("cpu:0"):
        return gen_ops.flush_summary_writer(writer._resource, name=name)


@tf_export("summary.initialize")
@called_by_users
def initialize(graph: Any = None, session: Any = None) -> None:
    """Creates the summary writers of the default graph in a session, and writes a graph. Does nothing in eager
    execution.

    Args:
      graph: optional Graph or GraphDef to write.
      session: optional session; defaults to the default session.

    Raises:
      RuntimeError: if there is no default writer.
      ValueError: if there is no session.
    """
    if executing_eagerly():
        return
    if default_writer() is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = create_writers(session)
    if graph is not None:
        given = placeholder(dtypes.string)
        session.run(_graph_of(given), feed_dict={given: serialized_graph(graph)})


def _graph_of(given: Tensor) -> Operation:
    return graph(given, 0)
