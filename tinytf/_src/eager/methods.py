"""`Method`: a traced function bound to an object."""

from __future__ import annotations

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
