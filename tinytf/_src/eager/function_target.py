"""`FunctionTarget`: the Python function that a traced function stands for."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

from tinytf._src.framework.context.autograph_status import Status, called_in


class FunctionTarget:
    """A Python function, or a method of an object that it does not keep alive. Immutable.

    Args:
      function: the Python function.
      autograph: whether AutoGraph converts it.
      features: optional features of AutoGraph.
      bound_to: optional reference to the object of a method.
    """

    def __init__(
        self, function: Callable[..., Any], autograph: bool, features: Any, bound_to: weakref.ref[Any] | None
    ) -> None:
        self.function = function
        self.name: str = getattr(function, "__name__", type(function).__name__)
        self._autograph = autograph
        self._features = features
        self._bound_to = bound_to

    def bound(self) -> Callable[..., Any]:
        """Returns the function; for a method, bound to its object. ReferenceError if that no longer exists."""
        if self._bound_to is None:
            return self.function
        instance = self._bound_to()
        if instance is None:
            raise ReferenceError(f"The object that the method {self.name} is bound to no longer exists")
        return functools.partial(self.function, instance)

    def to_trace(self) -> Callable[..., Any]:
        """Returns the function to trace: `bound` converted by AutoGraph if that is enabled."""
        if not self._autograph:
            return called_in(Status.DISABLED, self.bound())
        from tinytf._src.autograph.api import traced

        return traced(self.bound(), self._features)
