"""`Traces`: a cache of traces whose keys refer to Python objects weakly."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from types import MethodType, MethodWrapperType
from typing import Any

from tinytf._src.eager.methods import Method
from tinytf._src.framework.values.dtypes import DType
from tinytf._src.framework.values.tensor_shape import Dimension, TensorShape

_VALUES = (DType, Dimension, TensorShape)  # compared by value, whatever their lifetime
_METHODS = (MethodType, MethodWrapperType, Method)


class _Identity(weakref.ref[Any]):
    """A weak reference that is equal only to references to the same object, whatever the object's `__eq__` says."""

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
    """Returns the cache key of an object that is not a tensor: by value for classes with their own comparison, else by
    identity. It does not keep the object alive; the key of a deleted object equals no other."""
    kind = type(value)
    if kind in _METHODS:
        return _method_key(kind, value)
    if isinstance(value, _VALUES):
        return kind, value
    try:
        reference = weakref.ref(value)
    except TypeError:  # not weakly referable, for example numbers
        return kind, value
    is_told_by_identity = kind.__hash__ is object.__hash__ or getattr(value, "_is_dense_tensor_like", False)
    return reference if is_told_by_identity else (kind, reference)


def _method_key(kind: Any, value: Any) -> Any:
    """Returns the key of a method by function and object, as each access creates a new method object."""
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
    """A trace, until an object that its key refers to is deleted.

    The deletion may be noticed at any moment, also during a change of the cache. So the callback only clears the entry;
    it compares no keys and takes no lock.
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
    """Traces by key. Those whose keys refer to objects are in `_entries`, others in the dict itself.

    Reads and `keep_first` are thread-safe; other changes need external locking.
    """

    def __init__(self) -> None:
        super().__init__()
        self._entries: dict[Any, _Entry] = {}

    def find(self, key: Any) -> Any:
        """Returns the trace of a key, or None."""
        found = self.get(key)
        if found is None and self._entries:
            entry = self._entries.get(key)
            found = None if entry is None else entry.value
        return found

    def keep(self, key: Any, value: Any) -> None:
        """Stores a trace, until an object that the key refers to is deleted."""
        entry = _entry(key, value)
        if entry is None:
            self[key] = value
        else:
            self._entries[key] = entry

    def keep_first(self, key: Any, value: Any) -> Any:
        """Stores a trace unless the key has one; returns the stored one."""
        entry = _entry(key, value)
        if entry is None:
            return self.setdefault(key, value)
        return self._entries.setdefault(key, entry).value or value

    def take(self, key: Any) -> Any:
        """Removes and returns the trace of a key."""
        return self.pop(key) if key in self else self._entries.pop(key).value

    def forget_dead(self) -> None:
        """Removes the entries whose objects are deleted, which no call can find any more."""
        for key, entry in list(self._entries.items()):
            if entry.value is None:
                self._entries.pop(key, None)

    def all(self) -> list[Any]:
        """Returns all stored traces."""
        found = [entry.value for entry in list(self._entries.values())]
        return [*list(self.values()), *(value for value in found if value is not None)]


def _entry(key: Any, value: Any) -> _Entry | None:
    """Returns an entry for a key that refers to objects, else None. The objects are alive, as arguments of a call."""
    objects = [reference() for reference in _references(key)]
    return _Entry(value, objects) if objects else None
