"""`StatsOptions`: which statistics of a pipeline are collected, and where."""

from __future__ import annotations

from typing import Any

from tinytf._src.data.options.base import OptionsBase, create_option
from tinytf._src.exports import tf_export


class StatsAggregatorBase:
    """Base class of the objects that collect statistics; `_resource` is the handle of a collector."""

    _resource: Any


@tf_export("data.experimental.StatsOptions")
class StatsOptions(OptionsBase):
    """Options of statistics, for `tf.data.Options.experimental_stats`.

    Example:
      options = tf.data.Options()
      options.experimental_stats.aggregator = tf.data.experimental.StatsAggregator()
    """

    aggregator = create_option("aggregator", StatsAggregatorBase, "The object that collects the statistics.")
    prefix = create_option("prefix", str, "Prefix of the names of all statistics.", str)
    counter_prefix = create_option("counter_prefix", str, "Prefix of the names of counters.", str)
    latency_all_edges = create_option(
        "latency_all_edges", bool, "Whether the times of all transformations are collected; None means False."
    )
