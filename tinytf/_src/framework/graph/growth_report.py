"""`GrowthReport`: the nodes that a graph gained after its first run."""

from __future__ import annotations

from dataclasses import dataclass

from tinytf._src.framework.graph.bases import BaseGraph
from tinytf._src.framework.graph.growth import nodes_by_line

_SHOWN_LINES = 20


@dataclass(frozen=True, repr=False)
class GrowthReport:
    """The nodes that a graph gained since its first run by a session.

    Attributes:
      nodes: int, number of added nodes.
      runs: int, number of session runs that found new nodes.
      lines: dict, number of added nodes by "file:line", largest first.
    """

    nodes: int
    runs: int
    lines: dict[str, int]

    @property
    def nodes_per_run(self) -> float:
        """The average number of nodes added before each run that found new ones; 0 if there was none."""
        return self.nodes / self.runs if self.runs else 0.0

    def __repr__(self) -> str:
        if not self.nodes:
            return "The graph has not grown since it was first run."
        text = (
            f"The graph has grown by {self.nodes} nodes since it was first run; {self.runs} runs found new nodes, "
            f"{self.nodes_per_run:.1f} on average. The nodes were added at"
        )
        shown = list(self.lines.items())[:_SHOWN_LINES]
        lines = [text, *(f"{count:8}  {line}" for line, count in shown)]
        if len(self.lines) > len(shown):
            lines.append(
                f"{sum(self.lines.values()) - sum(n for _, n in shown):8}  at {len(self.lines) - len(shown)} other lines"
            )
        return "\n".join(lines)


def growth_report(graph: BaseGraph) -> GrowthReport:
    """Implements `Graph.growth_report`."""
    growth = graph._growth
    if growth is None:
        return GrowthReport(0, 0, {})
    with graph._nodes.lock:
        last, runs = graph.version, growth.runs
    return GrowthReport(last - growth.first, runs, nodes_by_line(graph, growth.first, last))
