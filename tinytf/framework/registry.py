"""A table of named things that says where an earlier thing of that name came from."""

from __future__ import annotations

import sys
from collections.abc import KeysView
from typing import Any


class Registry:
    """Maps names to registered objects. Filled at import time; reading is safe from any thread."""

    def __init__(self, name: str) -> None:
        """`name` says in messages what is registered, for example "gradient"."""
        self._name = name
        self._registry: dict[str, tuple[Any, str]] = {}

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Registers `candidate` as `name`, by default its `__name__`. Raises KeyError if the name is taken."""
        name = name or candidate.__name__
        if name in self._registry:
            where = self._registry[name][1]
            raise KeyError(f"Registering two {self._name} with name '{name}'! (Previous registration was in {where})")
        # Two frames up: past this function and the decorator that calls it.
        frame = sys._getframe(1)
        frame = frame.f_back or frame
        location = f"{frame.f_code.co_name} {frame.f_code.co_filename}:{frame.f_lineno}"
        self._registry[name] = candidate, location

    def list(self) -> KeysView[str]:
        """The registered names."""
        return self._registry.keys()

    def lookup(self, name: str | bytes) -> Any:
        """The object registered as `name`. Raises LookupError if there is none."""
        key = name.decode() if isinstance(name, bytes) else name
        try:
            return self._registry[key][0]
        except KeyError:
            raise LookupError(f"{self._name} registry has no entry for: {key}") from None
