"""`Traces`: what was traced, by keys that tell of objects without keeping them."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from types import MethodType, MethodWrapperType
from typing import Any

from tinytf.eager.methods import Method
from tinytf.framework.dtypes import DType
from tinytf.framework.tensor_shape import Dimension, TensorShape

_VALUES = (DType, Dimension, TensorShape)  # which are told apart by what they say, however long they live
_METHODS = (MethodType, MethodWrapperType, Method)


class _Identity(weakref.ref[Any]):
    """A weak reference that equals those of the same object only, whatever the object says that it equals."""

    __slots__ = ("_hash",)
    _hash: int

    def __new__(cls, value: Any) -> _Identity:
        self = super().__new__(cls, value)
        self._hash = id(value)
        return self

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        mine = self()
        return type(other) is _Identity and mine is not None and mine is other()


def object_key(value: Any) -> Any:
    """What a trace depends on of an object that is no tensor: its value if that is told by comparing it, else the object
    itself. The key does not keep the object alive; one whose object is gone equals no other key."""
    kind = type(value)
    if kind in _METHODS:
        return _method_key(kind, value)
    if isinstance(value, _VALUES):
        return kind, value
    try:
        reference = weakref.ref(value)
    except TypeError:  # of kinds that cannot be referred to weakly, such as numbers
        return kind, value
    is_told_by_identity = kind.__hash__ is object.__hash__ or getattr(value, "_is_dense_tensor_like", False)
    return reference if is_told_by_identity else (kind, reference)


def _method_key(kind: Any, value: Any) -> Any:
    """Of a method, an object that is made each time it is asked for: its function and its object."""
    try:
        function = value.__name__ if kind is MethodWrapperType else _Identity(value.__func__)
        return kind, _Identity(value.__self__), function
    except TypeError:
        return kind, value


def _references(key: Any) -> Iterator[weakref.ref[Any]]:
    if isinstance(key, (tuple, frozenset)):
        for item in key:
            yield from _references(item)
    elif isinstance(key, weakref.ref):
        yield key


class _Entry:
    """A trace until one of the objects goes that its key tells of.

    The end of an object may be noticed anywhere, also while the traces are changed: it only empties the entry, which
    compares no keys and takes no lock.
    """

    __slots__ = ("__weakref__", "_references", "value")

    def __init__(self, value: Any, objects: list[Any]) -> None:
        self.value = value
        this = weakref.ref(self)

        def empty(_: Any) -> None:
            entry = this()
            if entry is not None:
                entry.value = None

        self._references = [weakref.ref(known, empty) for known in objects]


class Traces(dict[Any, Any]):
    """What was traced by key, as far as keys tell of no objects; and in entries of their own what is for objects.

    Reading is thread-safe, and adding by `keep_first`; all else is done by one thread at a time.
    """

    def __init__(self) -> None:
        super().__init__()
        self._entries: dict[Any, _Entry] = {}

    def find(self, key: Any) -> Any:
        """What is kept for a key, None if nothing is."""
        found = self.get(key)
        if found is None and self._entries:
            entry = self._entries.get(key)
            found = None if entry is None else entry.value
        return found

    def keep(self, key: Any, value: Any) -> None:
        """Keeps something for a key, until one of the objects goes that the key tells of."""
        entry = _entry(key, value)
        if entry is None:
            self[key] = value
        else:
            self._entries[key] = entry

    def keep_first(self, key: Any, value: Any) -> Any:
        """As `keep` where nothing is kept for the key; what is then."""
        entry = _entry(key, value)
        if entry is None:
            return self.setdefault(key, value)
        return self._entries.setdefault(key, entry).value or value

    def take(self, key: Any) -> Any:
        """What was kept for a key, no longer."""
        return self.pop(key) if key in self else self._entries.pop(key).value

    def forget_dead(self) -> None:
        """Lets go of the keys whose objects are gone: no call will ever look for them."""
        for key, entry in list(self._entries.items()):
            if entry.value is None:
                self._entries.pop(key, None)

    def all(self) -> list[Any]:
        """All that is kept."""
        found = [entry.value for entry in list(self._entries.values())]
        return [*list(self.values()), *(value for value in found if value is not None)]


def _entry(key: Any, value: Any) -> _Entry | None:
    """An entry for a key that tells of objects. Those are alive: they are arguments of a call."""
    objects = [reference() for reference in _references(key)]
    return _Entry(value, objects) if objects else None
