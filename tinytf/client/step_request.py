"""What one run asks for beside its values: `RunOptions`, and what becomes of the step in `RunMetadata`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tinytf.framework.graph import Graph
from tinytf.insight.step_stats import fill_step_stats
from tinytf.protos import is_message


class StepRequest:
    """One step's options, for the core and for its metadata. For one thread.

    TypeError for anything but `RunOptions` and `RunMetadata` messages; each may be None. `may_count_costs`: see
    `count_costs`.
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
        self.needs_signature = may_count_costs or self._wants_graphs  # a call that is remembered does not tell it
        self.core_arguments: dict[str, Any] = {"traced": self._wants_stats}
        if options is not None:
            self.core_arguments["timeout_ms"] = options.timeout_in_ms
            self.core_arguments["inter_op_pool"] = options.inter_op_thread_pool
        self.nodes: Any = None  # what the core recorded of each node, if traced
        self.signature: tuple[Any, Any, Any] = ((), (), ())  # feeds, tensors and operations of the step

    def count_costs(self, due: bool) -> None:
        """Before the step: whether the metadata gets its cost graph."""
        self._wants_costs = due and self._wants_metadata
        self.core_arguments["traced"] = self._wants_stats or self._wants_costs

    def fill(self, run_metadata: Any, graph: Graph, placements: Callable[[], Mapping[str, str]]) -> None:
        """Overwrites the message, if there is one. `placements` tells the device of each operation."""
        if run_metadata is None:
            return
        run_metadata.Clear()
        if self._wants_stats:
            fill_step_stats(run_metadata, graph, self.nodes or (), placements())
        if self._wants_costs:
            from tinytf.insight.cost_graph import fill_cost_graph

            fill_cost_graph(run_metadata, graph, self.nodes or (), placements())
        if self._wants_graphs:
            from tinytf.insight.partition_graphs import fill_partition_graphs

            fill_partition_graphs(run_metadata, graph, *self.signature, placements())
