"""`tf.summary`: operations that create summaries, which a `FileWriter` writes for TensorBoard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.logs.log import logger
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

_ILLEGAL = re.compile(r"[^-/\w.]")


def clean_tag(name: Any) -> Any:
    """Returns a valid operation name: illegal characters become "_", leading slashes are removed. Logs changes."""
    if name is None:
        return None
    clean = _ILLEGAL.sub("_", name).lstrip("/")
    if clean != name:
        logger().info("Summary name %s is illegal; using %s instead.", name, clean)
    return clean


@contextmanager
def summary_scope(
    name: Any, family: Any = None, default_name: str | None = None, values: Any = None
) -> Iterator[tuple[str, str]]:
    """Opens the name scope of a summary; yields its tag and the scope. Tags of a family start with the family name."""
    name, family = clean_tag(name), clean_tag(family)
    with name_scope(name if family is None else f"{family}/{name}", default_name, values) as scope:
        tag = scope.rstrip("/")
        yield tag if family is None else f"{family}/{tag}", scope


def _collected(summary: Any, collections: Any, default: Any = (GraphKeys.SUMMARIES,)) -> Any:
    if not executing_eagerly():
        for key in default if collections is None else collections:
            get_default_graph().add_to_collection(key, summary)
    return summary


@tf_export("summary.scalar")
@called_by_users
def scalar(name: str, tensor: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """Creates a summary of one number.

    Args:
      name: str, name of the operation and tag of the summary; illegal characters become "_".
      tensor: real scalar.
      collections: optional list of the collections to add the summary to; defaults to [GraphKeys.SUMMARIES].
      family: optional str that prefixes the tag, which groups summaries in TensorBoard.

    Returns:
      A string scalar, the serialized `Summary`.
    """
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        return _collected(gen_ops.scalar_summary(tags=tag, values=tensor, name=scope), collections)


@tf_export("summary.histogram")
@called_by_users
def histogram(name: str, values: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """Creates a summary of the distribution of real numbers; running it raises InvalidArgumentError unless all are
    finite.

    Args:
      values: real tensor of any shape.
      name, collections, family: as in `scalar`.

    Returns:
      A string scalar, the serialized `Summary`.
    """
    with summary_scope(name, family, "HistogramSummary", [values]) as (tag, scope):
        return _collected(gen_ops.histogram_summary(tag=tag, values=values, name=scope), collections)


@tf_export("summary.image")
@called_by_users
def image(name: str, tensor: Any, max_outputs: int = 3, collections: Any = None, family: str | None = None) -> Tensor:
    """Creates a summary of images.

    Float images are scaled to bytes individually: 0 stays 0 if no value is negative, otherwise it becomes 128.

    Args:
      tensor: uint8 or float tensor of shape [batch, height, width, channels] with 1 (gray), 3 or 4 channels.
      max_outputs: int, maximum number of images.
      name, collections, family: as in `scalar`.

    Returns:
      A string scalar, the serialized `Summary`.
    """
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        made = gen_ops.image_summary(tag=tag, tensor=tensor, max_images=max_outputs, name=scope)
        return _collected(made, collections)


@tf_export("summary.audio")
@called_by_users
def audio(
    name: str,
    tensor: Any,
    sample_rate: Any,
    max_outputs: int = 3,
    collections: Any = None,
    family: str | None = None,
) -> Tensor:
    """Creates a summary of audio clips.

    Args:
      tensor: float32 tensor of shape [batch, frames] or [batch, frames, channels] with samples in [-1, 1].
      sample_rate: float32 scalar, frames per second.
      max_outputs: int, maximum number of clips.
      name, collections, family: as in `scalar`.

    Returns:
      A string scalar, the serialized `Summary`.
    """
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        rate = convert_to_tensor(sample_rate, dtype=dtypes.float32, name="sample_rate")
        made = gen_ops.audio_summary_v2(tag=tag, tensor=tensor, sample_rate=rate, max_outputs=max_outputs, name=scope)
        return _collected(made, collections)


@tf_export("summary.text")
@called_by_users
def text(name: str, tensor: Any, collections: Any = None) -> Tensor:
    """Creates a summary of strings, which TensorBoard renders as Markdown; several strings form a table.

    Args:
      tensor: string tensor.
      name, collections: as in `scalar`.

    Returns:
      A string scalar, the serialized `Summary`.

    Raises:
      ValueError: if the dtype is not string.
    """
    if tensor.dtype != dtypes.string:
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
    metadata = protos.SummaryMetadata(plugin_data=protos.SummaryMetadata.PluginData(plugin_name="text"))
    return tensor_summary(name, tensor, summary_metadata=metadata, collections=collections)


@tf_export("summary.tensor_summary")
@called_by_users
def tensor_summary(
    name: str,
    tensor: Any,
    summary_description: str | None = None,
    collections: Any = None,
    summary_metadata: Any = None,
    family: str | None = None,
    display_name: str | None = None,
) -> Tensor:
    """Creates a summary of a whole tensor, for TensorBoard plugins.

    Args:
      tensor: tensor of any dtype and shape.
      summary_description: optional str that replaces the description of the metadata.
      summary_metadata: optional `SummaryMetadata`, which names the plugin.
      display_name: optional str that replaces the display name of the metadata.
      name, collections, family: as in `scalar`.

    Returns:
      A string scalar, the serialized `Summary`.
    """
    metadata = protos.SummaryMetadata()
    if summary_metadata is not None:
        metadata.CopyFrom(protos.adopt(summary_metadata))
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    serialized = metadata.SerializeToString()
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        made = gen_ops.tensor_summary_v2(tag=tag, tensor=tensor, serialized_summary_metadata=serialized, name=scope)
        return _collected(made, collections)


@tf_export("summary.merge")
@called_by_users
def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """Merges summaries into one; running it raises InvalidArgumentError if two values have the same tag.

    Args:
      inputs: list of summaries.
      collections: optional list of the collections to add the result to; defaults to none.
      name: optional name of the operation.

    Returns:
      A string scalar, the serialized `Summary`.

    Raises:
      RuntimeError: in eager execution.
    """
    if executing_eagerly():
        raise RuntimeError(
            "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
        )
    name = clean_tag(name)
    with name_scope(name, "Merge", inputs):
        return _collected(gen_ops.merge_summary(inputs=inputs, name=name), collections, ())


@tf_export("summary.merge_all")
@called_by_users
def merge_all(key: Any = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None) -> Tensor | None:
    """Merges all summaries of a collection.

    Args:
      key: collection.
      scope: optional regular expression; only summaries whose names match it are merged.
      name: optional name of the operation.

    Returns:
      A string scalar, or None if there are no summaries.

    Raises:
      RuntimeError: in eager execution.
    """
    if executing_eagerly():
        raise RuntimeError(
            "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
        )
    summaries = get_default_graph().get_collection(key, scope)
    return merge(summaries, name=name) if summaries else None


@tf_export("summary.get_summary_description")
@called_by_users
def get_summary_description(node_def: Any) -> Any:
    """Parses the description of a TensorSummary node.

    Args:
      node_def: `NodeDef`.

    Returns:
      A `SummaryDescription`.

    Raises:
      ValueError: if the node is not a TensorSummary.
    """
    from google.protobuf import json_format

    if node_def.op != "TensorSummary":
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    return json_format.Parse(node_def.attr["description"].s.decode(), protos.SummaryDescription())
