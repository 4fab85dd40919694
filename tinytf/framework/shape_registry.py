"""`RegisterShape`, by which programs of early TensorFlow registered shape functions of their ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.framework.registry import Registry

__all__ = ["RegisterShape"]

_shape_registry = Registry("shape functions")


class RegisterShape:
    """`@RegisterShape("Op")`: registers a shape function. Nothing calls it: ops are declared with theirs.

    TypeError for a name that is no string, KeyError for one that is registered already.
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: Callable[..., Any] | None) -> Callable[..., Any] | None:
        if f is not None:  # None asks for the declared one
            _shape_registry.register(f, self._op_type)
        return f
