"""Versions of graphs."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf.version import GRAPH_DEF_VERSION

_FIRST_WITH_FUNCTIONS = 12


class GraphVersions(NamedTuple):
    """What a graph says of the programs that may read it, as its GraphDef has it."""

    producer: int = GRAPH_DEF_VERSION  # what wrote it: says what ops and attrs mean
    min_consumer: int = 0
    bad_consumers: tuple[int, ...] = ()  # ascending

    def joined(self, others: Any) -> GraphVersions:
        """Those of a graph that nodes of `others` (`VersionDef`) are added to."""
        return GraphVersions(
            min(self.producer, others.producer),
            max(self.min_consumer, others.min_consumer),
            tuple(sorted({*self.bad_consumers, *others.bad_consumers})),
        )

    def with_functions(self) -> GraphVersions:
        """Those of a graph with functions, which not all programs know."""
        return self._replace(min_consumer=max(self.min_consumer, _FIRST_WITH_FUNCTIONS))
