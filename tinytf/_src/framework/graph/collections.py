"""Collections: named lists of values that a program attaches to a graph."""

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
        """Makes the collection `name` the same list as in another graph."""
        self._values[name] = of.reference(name)

    def begin_as(self, around: GraphCollections, shared: Iterable[Any]) -> None:
        """Copies another graph's collections; those named in `shared` become shared instead."""
        for name, values in list(around._values.items()):
            self._values[name] = list(values)
        for name in shared:
            self.share(name, around)

    def reference(self, name: Any) -> list[Any]:
        """The list that stores the collection; changes to it change the collection."""
        return self._values.setdefault(name, [])

    def get(self, name: Any, scope: str | None) -> list[Any]:
        """A list of the values; with `scope`, only values whose `name` matches this regular expression."""
        values = self._values.get(name)
        if values is None or scope is None:  # the scope of a missing collection may be anything, as in TensorFlow
            return list(values or ())
        pattern = re.compile(scope)
        return [v for v in values if hasattr(v, "name") and pattern.match(v.name)]

    def names(self) -> list[Any]:
        """The names of all collections, which need not be text."""
        return list(self._values)

    def clear(self, name: Any) -> None:
        """Removes a collection."""
        self._values.pop(name, None)
