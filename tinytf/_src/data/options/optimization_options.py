"""`OptimizationOptions`: which rewrites of its pipeline an iterator uses."""

from __future__ import annotations

from tinytf._src.data.options.base import OptionsBase, create_option
from tinytf._src.exports import tf_export

_DEFAULT = ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion")
_ALL = (
    "filter_fusion",
    "filter_with_random_uniform_fusion",
    "hoist_random_uniform",
    "map_and_batch_fusion",
    "map_and_filter_fusion",
    "map_parallelization",
    "map_fusion",
    "noop_elimination",
    "parallel_batch",
    "shuffle_and_repeat_fusion",
)


@tf_export("data.experimental.MapVectorizationOptions")
class MapVectorizationOptions(OptionsBase):
    """Options of the rewrite that calls the function of a `map` once for a batch, for
    `tf.data.experimental.OptimizationOptions.map_vectorization`."""

    enabled = create_option("enabled", bool, "Whether maps are called for batches; None means False.")
    use_choose_fastest = create_option(
        "use_choose_fastest", bool, "Whether the faster one of both ways is chosen by measuring; None means False."
    )

    def _static_optimizations(self) -> list[str]:
        return ["map_vectorization"] if self.enabled else []

    def _static_optimization_configs(self) -> list[str]:
        return [f"map_vectorization:use_choose_fastest:{'true' if self.use_choose_fastest else 'false'}"]


@tf_export("data.experimental.OptimizationOptions")
class OptimizationOptions(OptionsBase):
    """Options of the rewrites of a pipeline, for `tf.data.Options.experimental_optimization`.

    Example:
      options = tf.data.Options()
      options.experimental_optimization.map_fusion = True
      dataset = dataset.with_options(options)
    """

    apply_default_optimizations = create_option(
        "apply_default_optimizations", bool, "Whether the default rewrites are used, too; None means True."
    )
    autotune = create_option("autotune", bool, "Whether AUTOTUNE parameters are tuned; None means True.")
    autotune_algorithm = create_option("autotune_algorithm", int, "The number of the tuning algorithm.")
    autotune_buffers = create_option(
        "autotune_buffers", bool, "Whether sizes of buffers are tuned, too; None means False."
    )
    autotune_cpu_budget = create_option(
        "autotune_cpu_budget", int, "The number of processors that tuning may use; None means all of them."
    )
    autotune_memory_budget = create_option(
        "autotune_memory_budget",
        int,
        "The number of bytes that tuned buffers may hold; None means a quarter of the machine's memory. TensorFlow does "
        "not have this option.",
    )
    filter_fusion = create_option("filter_fusion", bool, "Whether successive filters become one; None means False.")
    filter_with_random_uniform_fusion = create_option(
        "filter_with_random_uniform_fusion",
        bool,
        "Whether filters that compare a random number become samplings; None means False.",
    )
    hoist_random_uniform = create_option(
        "hoist_random_uniform", bool, "Whether random numbers are drawn outside of maps; None means False."
    )
    map_and_batch_fusion = create_option(
        "map_and_batch_fusion", bool, "Whether a map and a batch become one; None means True."
    )
    map_and_filter_fusion = create_option(
        "map_and_filter_fusion", bool, "Whether a map and a filter become one; None means False."
    )
    map_fusion = create_option("map_fusion", bool, "Whether successive maps become one; None means False.")
    map_parallelization = create_option(
        "map_parallelization", bool, "Whether maps without state run in parallel; None means False."
    )
    map_vectorization = create_option(
        "map_vectorization",
        MapVectorizationOptions,
        "The options of maps that are called for batches, a `MapVectorizationOptions`.",
        MapVectorizationOptions,
    )
    noop_elimination = create_option(
        "noop_elimination", bool, "Whether transformations without effect are left out; None means True."
    )
    parallel_batch = create_option(
        "parallel_batch", bool, "Whether the elements of a batch are copied in parallel; None means False."
    )
    shuffle_and_repeat_fusion = create_option(
        "shuffle_and_repeat_fusion", bool, "Whether a shuffle and a repeat become one; None means True."
    )

    def _static_optimizations(self) -> list[str]:
        """The names of the rewrites, sorted."""
        names = {name for name in _ALL if getattr(self, name)}
        if self.apply_default_optimizations is not False:
            names |= {name for name in _DEFAULT if getattr(self, name) is not False}
        names.update(self.map_vectorization._static_optimizations())
        if self.autotune is not False and self.autotune_buffers:
            names.add("inject_prefetch")
        return sorted(names)

    def _static_optimization_configs(self) -> list[str]:
        """The arguments of rewrites, as "rewrite:argument:value"."""
        configs: list[str] = self.map_vectorization._static_optimization_configs()
        return configs
