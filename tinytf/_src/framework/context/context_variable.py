"""Context variables that finalizers may change at any time."""

from __future__ import annotations

import contextvars
from typing import Generic, TypeVar

from tinytf import _core

T = TypeVar("T")


class ContextVariable(Generic[T]):
    """A ContextVar whose `set` cannot be interrupted by the garbage collector.

    A finalizer that runs during `set` (for example of an abandoned generator inside a `with` block) may set variables,
    too; before CPython 3.12, one of the two changes would be lost.
    """

    __slots__ = ("_variable", "get")

    def __init__(self, name: str, default: T) -> None:
        self._variable: contextvars.ContextVar[T] = contextvars.ContextVar(name, default=default)
        self.get = self._variable.get

    def set(self, value: T) -> None:
        """Sets the value in the calling context."""
        _core.set_context_variable(self._variable, value)
