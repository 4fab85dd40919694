"""`tf.summary`: tensors as summaries, which `FileWriter` writes for TensorBoard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf import protos
from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework import dtypes
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.graph_keys import GraphKeys
from tinytf.framework.log import logger
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor

_ILLEGAL = re.compile(r"[^-/\w.]")


def clean_tag(name: Any) -> Any:
    """The name as one of operations: illegal characters become "_", slashes in front are dropped. Says so if it changes."""
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
    """A scope for the operations of a summary; yields its tag and the scope. Tags of a family begin with its name."""
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
    """A summary of one number, a string tensor.

    Args:
      name: of the operation, and the summary's tag; characters that names lack become "_".
      tensor: a real scalar.
      collections: keys of the collections that get the summary; `[GraphKeys.SUMMARIES]` when None.
      family: put in front of the tag, which groups summaries in TensorBoard.
    """
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        return _collected(gen_ops.scalar_summary(tags=tag, values=tensor, name=scope), collections)


@tf_export("summary.histogram")
@called_by_users
def histogram(name: str, values: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of how real numbers of any shape are distributed; InvalidArgumentError in a step unless all are finite.

    The other arguments are those of `scalar`.
    """
    with summary_scope(name, family, "HistogramSummary", [values]) as (tag, scope):
        return _collected(gen_ops.histogram_summary(tag=tag, values=values, name=scope), collections)


@tf_export("summary.image")
@called_by_users
def image(name: str, tensor: Any, max_outputs: int = 3, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of the first `max_outputs` images of a batch [b, height, width, channels] of bytes or floats.

    There are 1 (gray), 3 or 4 channels. Floats are scaled to bytes, each image by itself: 0 stays 0 where no number is
    negative, else it is 128. The other arguments are those of `scalar`.
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
    """A summary of the first `max_outputs` sounds of a batch [b, frames] or [b, frames, channels] of samples from -1 to 1.

    `sample_rate` says how many frames make a second. The other arguments are those of `scalar`.
    """
    with summary_scope(name, family, values=[tensor]) as (tag, scope):
        rate = convert_to_tensor(sample_rate, dtype=dtypes.float32, name="sample_rate")
        made = gen_ops.audio_summary_v2(tag=tag, tensor=tensor, sample_rate=rate, max_outputs=max_outputs, name=scope)
        return _collected(made, collections)


@tf_export("summary.text")
@called_by_users
def text(name: str, tensor: Any, collections: Any = None) -> Tensor:
    """A summary of strings, which TensorBoard shows as Markdown: as a table where there are several.

    ValueError for a tensor of another type. The other arguments are those of `scalar`.
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
    """A summary of a whole tensor, for plugins of TensorBoard.

    Args:
      name, tensor, collections, family: as those of `scalar`, but the tensor may have any type and shape.
      summary_description: text for people, in place of what the metadata say.
      summary_metadata: a `SummaryMetadata`, which says what plugin the tensor is for.
      display_name: what the summary is called, in place of what the metadata say.
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
    """One summary of all values of a list of summaries; InvalidArgumentError in a step if two have the same tag.

    `collections` are keys of collections that get it, none when None. RuntimeError in eager execution.
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
    """`merge` of the summaries in a collection, of those in `scope` if it is given; None if there are none."""
    if executing_eagerly():
        raise RuntimeError(
            "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
        )
    summaries = get_default_graph().get_collection(key, scope)
    return merge(summaries, name=name) if summaries else None


@tf_export("summary.get_summary_description")
@called_by_users
def get_summary_description(node_def: Any) -> Any:
    """The `SummaryDescription` that a node of type TensorSummary has as JSON. ValueError for other nodes."""
    from google.protobuf import json_format

    if node_def.op != "TensorSummary":
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    return json_format.Parse(node_def.attr["description"].s.decode(), protos.SummaryDescription())
