"""Statistics of pipelines: how many bytes elements have, and how long they take."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.dataset import UnaryUnchangedStructureDataset
from tinytf._src.data.options.stats_options import StatsAggregatorBase
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.scopes.name_scope import device, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

_WRITERS = "_SUMMARY_WRITER_V2"  # the collection of the operations that create writers
_MAX_QUEUE, _FLUSH_MILLIS = 10, 2 * 60 * 1000
_numbers = itertools.count()


@tf_export("data.experimental.bytes_produced_stats")
def bytes_produced_stats(tag: Any) -> Callable[[Any], Any]:
    """Records how many bytes each element has.

    Args:
      tag: string or string tensor, the name of the statistic.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return _StatsDataset(dataset, gen_ops.bytes_produced_stats_dataset, tag)

    return transformation


@tf_export("data.experimental.latency_stats")
def latency_stats(tag: Any) -> Callable[[Any], Any]:
    """Records how many microseconds each element takes.

    Args:
      tag: string or string tensor, the name of the statistic.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return _StatsDataset(dataset, gen_ops.latency_stats_dataset, tag)

    return transformation


class _StatsDataset(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: Any, op: Callable[..., Any], tag: Any) -> None:
        tag = convert_to_tensor(tag, dtype=dtypes.string)
        super().__init__(input_dataset, op(input_dataset._variant_tensor, tag, **input_dataset._flat_structure))


@tf_export("data.experimental.StatsAggregator")
class StatsAggregatorV1(StatsAggregatorBase):
    """Collects the statistics of datasets whose options name it.

    Example:
      aggregator = tf.data.experimental.StatsAggregator()
      options = tf.data.Options()
      options.experimental_stats.aggregator = aggregator
      dataset = dataset.apply(tf.data.experimental.latency_stats("latency")).with_options(options)
      tf.add_to_collection(tf.GraphKeys.SUMMARIES, aggregator.get_summary())
    """

    def __init__(self) -> None:
        """Makes the resource that collects."""
        self._resource = gen_ops.stats_aggregator_handle()

    def get_summary(self) -> Any:
        """The statistics.

        Returns:
          Scalar string Tensor, a serialized `Summary`.
        """
        return gen_ops.stats_aggregator_summary(self._resource)


@tf_export("compat.v2.data.experimental.StatsAggregator")
class StatsAggregatorV2(StatsAggregatorBase):
    """Collects the statistics of datasets whose options name it, and writes them to event files."""

    def __init__(self) -> None:
        """Makes the resource that collects, and a writer of event files in a new temporary folder."""
        self._resource = gen_ops.stats_aggregator_handle_v2()
        self._logdir = tempfile.mkdtemp()
        self._writer = _file_writer(self._logdir)
        gen_ops.stats_aggregator_set_summary_writer(self._resource, self._writer)


def _file_writer(logdir: str) -> Any:
    """Returns the handle of a writer of event files. In a graph, the operation that creates the writer is in the collection
    that `summary_writer_initializer_op` reads."""
    with name_scope("create_file_writer") as scope, device("cpu:0"):
        folder = convert_to_tensor(logdir, dtype=dtypes.string)
        flush_millis = constant(_FLUSH_MILLIS)
        suffix = constant(".v2")
        suffix = constant(f".{os.getpid()}.{next(_numbers)}") + suffix
        writer = gen_ops.summary_writer(
            shared_name=f"{scope[:-1]}_{next(_numbers)}" if executing_eagerly() else scope[:-1]
        )
        created = gen_ops.create_summary_file_writer(
            writer, logdir=folder, max_queue=_MAX_QUEUE, flush_millis=flush_millis, filename_suffix=suffix
        )
        if not executing_eagerly():
            get_default_graph().add_to_collection(_WRITERS, created)
        return writer
