"""`tf.contrib.deprecated`: the summary functions that preceded `tf.summary`, with tags independent of
operation names."""

from __future__ import annotations

from typing import Any

import tinytf as tf
from tinytf.python.missing import no_other_names
from tinytf.python.util.deprecation import deprecated

__all__ = [
    "audio_summary",
    "histogram_summary",
    "image_summary",
    "merge_all_summaries",
    "merge_summary",
    "scalar_summary",
]
__getattr__ = no_other_names(__name__)

_DATE = "2016-11-30"
_TAGS = "which derives the tag from the name of the operation, so that tags are unique."


def _collected(summary: tf.Tensor, collections: Any, default: Any = (tf.GraphKeys.SUMMARIES,)) -> tf.Tensor:
    for key in default if collections is None else collections:
        tf.add_to_collection(key, summary)
    return summary


@deprecated(_DATE, f"Use tf.summary.scalar, {_TAGS} It takes one name instead of tags.")
def scalar_summary(tags: Any, values: Any, collections: Any = None, name: str | None = None) -> tf.Tensor:
    """Summarizes real numbers, each under its own tag.

    Args:
      tags: string tensor of the shape of `values`.
      values: numeric tensor.
      collections: list of graph collection keys to which the summary is added; `[GraphKeys.SUMMARIES]` if None.
      name: string, name of the operation.

    Returns:
      A scalar string tensor, a serialized `Summary`.
    """
    with tf.name_scope(name, "ScalarSummary", [tags, values]) as scope:
        return _collected(tf.raw_ops.ScalarSummary(tags=tags, values=values, name=scope), collections)


@deprecated(_DATE, f"Use tf.summary.histogram, {_TAGS}")
def histogram_summary(tag: Any, values: Any, collections: Any = None, name: str | None = None) -> tf.Tensor:
    """Summarizes the distribution of real numbers under a scalar `tag`. `collections` is as in `scalar_summary`."""
    with tf.name_scope(name, "HistogramSummary", [tag, values]) as scope:
        return _collected(tf.raw_ops.HistogramSummary(tag=tag, values=values, name=scope), collections)


@deprecated(_DATE, f"Use tf.summary.image, {_TAGS} Its name for max_images is max_outputs.")
def image_summary(
    tag: Any, tensor: Any, max_images: int = 3, collections: Any = None, name: str | None = None
) -> tf.Tensor:
    """Summarizes the first `max_images` images of a batch, like `tf.summary.image`, but with an explicit tag."""
    with tf.name_scope(name, "ImageSummary", [tag, tensor]) as scope:
        made = tf.raw_ops.ImageSummary(tag=tag, tensor=tensor, max_images=max_images, name=scope)
        return _collected(made, collections)


@deprecated(_DATE, f"Use tf.summary.audio, {_TAGS}")
def audio_summary(
    tag: Any, tensor: Any, sample_rate: Any, max_outputs: int = 3, collections: Any = None, name: str | None = None
) -> tf.Tensor:
    """Summarizes the first `max_outputs` clips of a batch, like `tf.summary.audio`, but with an explicit tag."""
    with tf.name_scope(name, "AudioSummary", [tag, tensor]) as scope:
        rate = tf.convert_to_tensor(sample_rate, dtype=tf.float32, name="sample_rate")
        made = tf.raw_ops.AudioSummaryV2(tag=tag, tensor=tensor, sample_rate=rate, max_outputs=max_outputs, name=scope)
        return _collected(made, collections)


@deprecated(_DATE, "Use tf.summary.merge.")
def merge_summary(inputs: Any, collections: Any = None, name: str | None = None) -> tf.Tensor:
    """Merges a list of summaries; running it fails with InvalidArgumentError if two of them have the same tag.

    `collections` is a list of collection keys to which the result is added, none if None.
    """
    with tf.name_scope(name, "MergeSummary", inputs):
        return _collected(tf.raw_ops.MergeSummary(inputs=inputs, name=name), collections, ())


@deprecated(_DATE, "Use tf.summary.merge_all.")
def merge_all_summaries(key: Any = tf.GraphKeys.SUMMARIES) -> tf.Tensor | None:
    """Merges the summaries in a collection by `merge_summary`; returns None if there are none."""
    summaries = tf.get_collection(key)
    return merge_summary(summaries) if summaries else None
