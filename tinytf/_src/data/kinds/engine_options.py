"""Datasets that tell the engine how to run a pipeline: rewrites, tuning, threads and statistics."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.base import UnaryUnchanged
from tinytf._src.data.kinds.arguments import int64
from tinytf._src.exports import named
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

_MODEL = op_spec("ModelDataset")


@named("_OptionsDataset")
class OptionsDataset(UnaryUnchanged):
    """The same elements, with options."""

    def __init__(self, input_dataset: Any, options: Any) -> None:
        self._options = input_dataset.options().merge(options)
        super().__init__(input_dataset, input_dataset._variant_tensor)

    def options(self) -> Any:
        """The options given here, merged with those of the other dataset."""
        return self._options


class ModelDataset(UnaryUnchanged):
    """The same elements; AUTOTUNE parameters are tuned."""

    def __init__(
        self, input_dataset: Any, algorithm: int = 0, cpu_budget: int = 0, memory_budget: int | None = None
    ) -> None:
        attrs = {"algorithm": algorithm, "cpu_budget": cpu_budget, **input_dataset._flat_structure}
        if memory_budget is not None:  # TensorFlow does not know it, but nodes may have undeclared attrs.
            attrs["_memory_budget"] = memory_budget
        super().__init__(input_dataset, apply_op(_MODEL, None, (input_dataset._variant_tensor,), attrs))


class OptimizeDataset(UnaryUnchanged):
    """The same elements, of a rewritten pipeline."""

    def __init__(self, input_dataset: Any, optimizations: list[str], optimization_configs: list[str]) -> None:
        self._optimizations = convert_to_tensor(optimizations, dtype=dtypes.string, name="optimizations")
        rewritten = gen_ops.optimize_dataset(
            input_dataset._variant_tensor,
            self._optimizations,
            optimization_configs=optimization_configs,
            **input_dataset._flat_structure,
        )
        super().__init__(input_dataset, rewritten)


class MaxIntraOpParallelismDataset(UnaryUnchanged):
    """The same elements, computed with at most so many threads for an operation."""

    def __init__(self, input_dataset: Any, max_intra_op_parallelism: int) -> None:
        self._max_intra_op_parallelism = int64(max_intra_op_parallelism, "max_intra_op_parallelism")
        limited = gen_ops.max_intra_op_parallelism_dataset(
            input_dataset._variant_tensor, self._max_intra_op_parallelism, **input_dataset._flat_structure
        )
        super().__init__(input_dataset, limited)


class PrivateThreadPoolDataset(UnaryUnchanged):
    """The same elements, computed by threads of their own."""

    def __init__(self, input_dataset: Any, num_threads: int) -> None:
        self._num_threads = int64(num_threads, "num_threads")
        own = gen_ops.private_thread_pool_dataset(
            input_dataset._variant_tensor, self._num_threads, **input_dataset._flat_structure
        )
        super().__init__(input_dataset, own)


class SetStatsAggregatorDataset(UnaryUnchanged):
    """The same elements; statistics are collected."""

    def __init__(self, input_dataset: Any, aggregator: Any, prefix: str, counter_prefix: str) -> None:
        observed = gen_ops.set_stats_aggregator_dataset(
            input_dataset._variant_tensor,
            aggregator._resource,
            prefix,
            counter_prefix,
            **input_dataset._flat_structure,
        )
        super().__init__(input_dataset, observed)
