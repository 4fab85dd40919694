"""`RegisterShape`, with which programs for early TensorFlow releases registered shape functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.framework.registries.registry import Registry

__all__ = ["RegisterShape"]

_shape_registry = Registry("shape functions")


class RegisterShape:
    """Decorator that registers a shape function for an op. It is never called: op declarations contain shape functions.

    Args:
      op_type: str, name of the op.

    Raises:
      TypeError: if `op_type` is not a string. Registering an op twice raises KeyError.
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: Callable[..., Any] | None) -> Callable[..., Any] | None:
        if f is not None:  # None means the declared shape function
            _shape_registry.register(f, self._op_type)
        return f
