"""`Method`: a traced function bound to an object, and `BoundFunctions`, in which a function keeps its traces for it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any


class Method:
    """A traced function bound to an object, which it keeps alive, like Python's bound methods."""

    __slots__ = ("__self__", "__func__", "__weakref__")

    def __init__(self, function: Any, instance: Any) -> None:
        self.__func__ = function
        self.__self__ = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__func__(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)


class BoundFunctions(dict[int, Any]):
    """The traced functions of one method, by id of the object, so that equal objects are distinct.

    They do not keep the objects alive, and are dropped with them. Thread-safe.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.RLock()

    def made(self, instance: Any, bind: Callable[[weakref.ref[Any]], Any]) -> Any:
        """Returns the function of an object, which `bind` makes from a reference to the object if there is none."""
        with self._lock:
            function = self.get(id(instance))
            if function is None or function._bound_to() is not instance:
                function = self[id(instance)] = bind(weakref.ref(instance, self._forgetting(id(instance))))
            return function

    def _forgetting(self, key: int) -> Callable[[Any], None]:
        this = weakref.ref(self)

        def forget(_: Any) -> None:
            functions = this()
            if functions is not None:
                functions.pop(key, None)

        return forget
