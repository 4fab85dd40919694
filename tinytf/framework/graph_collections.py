"""Collections: what a program keeps with a graph, by names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any


class GraphCollections:
    """The collections of a graph."""

    def __init__(self) -> None:
        self._values: dict[Any, list[Any]] = {}

    def add(self, name: Any, value: Any) -> None:
        """Appends a value to a collection."""
        self._values.setdefault(name, []).append(value)

    def share(self, name: Any, of: GraphCollections) -> None:
        """Has a collection be the one that another graph has."""
        self._values[name] = of.reference(name)

    def begin_as(self, around: GraphCollections, shared: Iterable[Any]) -> None:
        """Has copies of another graph's collections; those with the names in `shared` are the other graph's own."""
        for name, values in list(around._values.items()):
            self._values[name] = list(values)
        for name in shared:
            self.share(name, around)

    def reference(self, name: Any) -> list[Any]:
        """The collection itself: changes to the list change it."""
        return self._values.setdefault(name, [])

    def get(self, name: Any, scope: str | None) -> list[Any]:
        """The values of a collection; with `scope`, those whose `name` matches it as a regular expression."""
        values = self._values.get(name, [])
        if scope is None:
            return list(values)
        pattern = re.compile(scope)
        return [v for v in values if hasattr(v, "name") and pattern.match(v.name)]

    def names(self) -> list[Any]:
        """Names of all collections, which need not be text."""
        return list(self._values)

    def clear(self, name: Any) -> None:
        """Empties a collection."""
        self._values.pop(name, None)
