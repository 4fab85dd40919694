"""Collections that compare objects by identity, as variables may define equality by value."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, MutableMapping
from typing import Any


class IdentityDict(MutableMapping[Any, Any]):
    """A dict with objects as keys, compared by identity. It keeps them alive."""

    def __init__(self) -> None:
        self._items: dict[int, tuple[Any, Any]] = {}

    def __getitem__(self, key: Any) -> Any:
        return self._items[id(key)][1]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._items[id(key)] = key, value

    def __delitem__(self, key: Any) -> None:
        del self._items[id(key)]

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return id(key) in self._items


class WeakIdentitySet:
    """A set of weak references to objects, compared by identity."""

    def __init__(self) -> None:
        self._references: dict[int, weakref.ref[Any]] = {}

    def add(self, value: Any) -> None:
        """Adds an object."""
        self._references[id(value)] = weakref.ref(value)

    def __iter__(self) -> Iterator[Any]:
        """Yields the objects that still exist, in the order of their addition."""
        values = (reference() for reference in list(self._references.values()))
        return (value for value in values if value is not None)
