"""Version numbers of graphs."""

from __future__ import annotations

from typing import Any, NamedTuple

from tinytf.version import GRAPH_DEF_VERSION

_FIRST_WITH_FUNCTIONS = 12


class GraphVersions(NamedTuple):
    """The versions of a graph's GraphDef, which determine what programs can read it."""

    producer: int = GRAPH_DEF_VERSION  # version of the writer: determines the meaning of ops and attrs
    min_consumer: int = 0
    bad_consumers: tuple[int, ...] = ()  # ascending

    def joined(self, others: Any) -> GraphVersions:
        """The versions after nodes of a graph with the versions `others` (`VersionDef`) were added."""
        return GraphVersions(
            min(self.producer, others.producer),
            max(self.min_consumer, others.min_consumer),
            tuple(sorted({*self.bad_consumers, *others.bad_consumers})),
        )

    def with_functions(self) -> GraphVersions:
        """The versions after functions were added, which not all readers support."""
        return self._replace(min_consumer=max(self.min_consumer, _FIRST_WITH_FUNCTIONS))
