"""Context variables that finalizers may change at any time."""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Callable
from typing import Generic, TypeVar

from tinytf import _core

T = TypeVar("T")


class ContextVariable(Generic[T]):
    """A ContextVar whose `set` cannot be interrupted by the garbage collector.

    A finalizer that runs during `set` (for example of an abandoned generator inside a `with` block) may set variables,
    too; before CPython 3.12, one of the two changes would be lost.
    """

    __slots__ = ("get", "set")

    def __init__(self, name: str, default: T) -> None:
        variable: contextvars.ContextVar[T] = contextvars.ContextVar(name, default=default)
        self.get = variable.get
        # Sets the value in the calling context; no method of its own, as scopes are entered often.
        self.set: Callable[[T], None] = functools.partial(_core.set_context_variable, variable)
