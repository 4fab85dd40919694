"""The `RunOptions` of one run, and the `RunMetadata` that it fills."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tinytf._src.framework.graph.graph import Graph
from tinytf._src.profiler.step_stats import fill_step_stats
from tinytf._src.protos import is_message


class StepRequest:
    """The options of one step, translated for the core, and its metadata. For one thread.

    The constructor raises TypeError for objects other than `RunOptions` and `RunMetadata` messages; each may be None.
    `may_count_costs`: whether `count_costs` may be called.
    """

    def __init__(self, options: Any, run_metadata: Any, may_count_costs: bool) -> None:
        if options is not None and not is_message(options, "RunOptions"):
            raise TypeError(f"options must be a tf.RunOptions, but got {type(options)}")
        if run_metadata is not None and not is_message(run_metadata, "RunMetadata"):
            raise TypeError(f"run_metadata must be a tf.RunMetadata, but got {type(run_metadata)}")
        self._wants_metadata = run_metadata is not None
        self._wants_stats = self._wants_metadata and options is not None and options.trace_level > 0
        self._wants_costs = False
        self._wants_graphs = self._wants_metadata and options is not None and options.output_partition_graphs
        self.needs_signature = may_count_costs or self._wants_graphs  # so cached calls, which lack it, cannot be used
        self.core_arguments: dict[str, Any] = {"traced": self._wants_stats}
        if options is not None:
            self.core_arguments["timeout_ms"] = options.timeout_in_ms
            self.core_arguments["inter_op_pool"] = options.inter_op_thread_pool
        self.nodes: Any = None  # per-node records of the core, if traced
        self.signature: tuple[Any, Any, Any] = ((), (), ())  # feeds, tensors and operations of the step

    def count_costs(self, due: bool) -> None:
        """To be called before the step: requests a cost graph in the metadata if one is `due`."""
        self._wants_costs = due and self._wants_metadata
        self.core_arguments["traced"] = self._wants_stats or self._wants_costs

    def fill(self, run_metadata: Any, graph: Graph, placements: Callable[[], Mapping[str, str]]) -> None:
        """Overwrites the message, unless it is None. `placements` returns the device of each operation."""
        if run_metadata is None:
            return
        run_metadata.Clear()
        if self._wants_stats:
            fill_step_stats(run_metadata, graph, self.nodes or (), placements())
        if self._wants_costs:
            from tinytf._src.profiler.cost_graph import fill_cost_graph

            fill_cost_graph(run_metadata, graph, self.nodes or (), placements())
        if self._wants_graphs:
            from tinytf._src.profiler.partition_graphs import fill_partition_graphs

            fill_partition_graphs(run_metadata, graph, *self.signature, placements())
