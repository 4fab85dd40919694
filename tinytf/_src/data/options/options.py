"""`tf.data.Options`: the options of a dataset."""

from __future__ import annotations

from tinytf._src.data.options.base import OptionsBase, create_option, merge_options
from tinytf._src.data.options.distribute_options import DistributeOptions
from tinytf._src.data.options.optimization_options import OptimizationOptions
from tinytf._src.data.options.stats_options import StatsOptions
from tinytf._src.data.options.threading_options import ThreadingOptions
from tinytf._src.exports import tf_export


@tf_export("data.Options")
class Options(OptionsBase):
    """Options of a dataset, which `Dataset.with_options` sets and iterators of it or of datasets made from it obey.

    Example:
      options = tf.data.Options()
      options.experimental_optimization.autotune = False
      dataset = tf.data.Dataset.range(10).with_options(options)
    """

    experimental_deterministic = create_option(
        "experimental_deterministic", bool, "Whether elements come in deterministic order; None means True."
    )
    experimental_distribute = create_option(
        "experimental_distribute",
        DistributeOptions,
        "How the dataset is divided, a `tf.data.experimental.DistributeOptions`.",
        DistributeOptions,
    )
    experimental_optimization = create_option(
        "experimental_optimization",
        OptimizationOptions,
        "The rewrites of the pipeline, a `tf.data.experimental.OptimizationOptions`.",
        OptimizationOptions,
    )
    experimental_slack = create_option(
        "experimental_slack", bool, "Whether the last `prefetch` begins later than it could; None means False."
    )
    experimental_stats = create_option(
        "experimental_stats",
        StatsOptions,
        "The statistics that are collected, a `tf.data.experimental.StatsOptions`.",
        StatsOptions,
    )
    experimental_threading = create_option(
        "experimental_threading",
        ThreadingOptions,
        "The threads of the pipeline, a `tf.data.experimental.ThreadingOptions`.",
        ThreadingOptions,
    )
    experimental_stateful_whitelist = create_option(
        "experimental_stateful_whitelist",
        list,
        "The ops with state that a saved dataset or iterator may have although the state is not saved.",
    )

    def merge(self, options: Options) -> Options:
        """Joins these options with others.

        Args:
          options: Options.

        Returns:
          New Options, with the values that are set in either.

        Raises:
          ValueError: if both have different values of an option.
        """
        merged: Options = merge_options(self, options)
        return merged

    def _static_optimizations(self) -> list[str]:
        """The names of the rewrites of the pipeline."""
        names: list[str] = list(self.experimental_optimization._static_optimizations())
        if self.experimental_deterministic is False:
            names.append("make_sloppy")
        if self.experimental_stats.latency_all_edges:
            names.append("latency_all_edges")
        if self.experimental_slack:
            names.append("slack")
        if self.experimental_distribute._make_stateless:
            names.append("make_stateless")
        return names

    def _static_optimization_configs(self) -> list[str]:
        """The arguments of rewrites, as "rewrite:argument:value"."""
        configs: list[str] = list(self.experimental_optimization._static_optimization_configs())
        if self.experimental_slack:
            devices = self.experimental_distribute.num_devices
            configs.append(f"slack:slack_period:{1 if devices is None else devices}")
        return configs
