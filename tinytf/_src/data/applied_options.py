"""What a dataset becomes before it is iterated over, by its options."""

from __future__ import annotations

import warnings
from typing import Any

from tinytf._src.data.kinds.engine_options import (
    MaxIntraOpParallelismDataset,
    ModelDataset,
    OptimizeDataset,
    PrivateThreadPoolDataset,
    SetStatsAggregatorDataset,
)
from tinytf._src.data.options.options import Options


def with_options_applied(dataset: Any) -> Any:
    """Returns the dataset to iterate over: with the rewrites, tuning, threads and statistics that its options ask
    for."""
    options = dataset.options()
    original = dataset
    threading = options.experimental_threading
    if threading.max_intra_op_parallelism is not None:
        dataset = MaxIntraOpParallelismDataset(dataset, threading.max_intra_op_parallelism)
    if threading.private_threadpool_size is not None:
        dataset = PrivateThreadPoolDataset(dataset, threading.private_threadpool_size)
    dataset = _tuned(_rewritten(dataset, original, options), options)
    stats = options.experimental_stats
    if stats.aggregator:
        dataset = SetStatsAggregatorDataset(dataset, stats.aggregator, stats.prefix, stats.counter_prefix)
    return dataset


def _rewritten(dataset: Any, original: Any, options: Options) -> Any:
    rewrites = options._static_optimizations()
    if not rewrites:
        return dataset
    if original._has_captured_ref():
        warnings.warn(
            "tf.data static optimizations are not compatible with tf.Variable. The following optimizations will be "
            f"disabled: {', '.join(rewrites)}. To enable optimizations, use resource variables instead by calling "
            "`tf.enable_resource_variables()` at the start of the program.",
            stacklevel=5,
        )
        return dataset
    return OptimizeDataset(dataset, rewrites, options._static_optimization_configs())


def _tuned(dataset: Any, options: Options) -> Any:
    optimization = options.experimental_optimization
    if optimization.autotune is False:
        return dataset
    return ModelDataset(
        dataset,
        optimization.autotune_algorithm or 0,
        optimization.autotune_cpu_budget or 0,
        optimization.autotune_memory_budget,
    )
