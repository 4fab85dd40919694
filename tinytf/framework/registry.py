"""A table of named things that says where an earlier thing of that name came from."""

from __future__ import annotations

import sys
from collections.abc import Callable, KeysView
from typing import Any


class Registry:
    """Maps names to registered objects. Reading is safe from any thread.

    Args:
      name: what is registered, as messages call it, for example "gradient".

    Objects of the package may be registered late, by modules that nothing has imported yet: see `load_first`.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._entries: dict[str, dict[str, Any]] = {}
        self._load: Callable[[], None] | None = None

    def load_first(self, load: Callable[[], None]) -> None:
        """Has `load` called before any access but `add`, each time. It imports the modules that `add` to the registry, and
        may be called by several threads at a time."""
        self._load = load

    @property
    def _registry(self) -> dict[str, dict[str, Any]]:
        """All entries: a dictionary with a "type" and a "location" for each name. Programs look into it and change it."""
        if self._load is not None:
            self._load()
        return self._entries

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Registers `candidate` as `name`, by default its `__name__`. Raises KeyError if the name is taken."""
        name = name or candidate.__name__
        if name in self._registry:
            where = self._registry[name]["location"]
            raise KeyError(f"Registering two {self._name} with name '{name}'! (Previous registration was in {where})")
        self._set(candidate, name)

    def add(self, candidate: Any, name: str) -> None:
        """As `register`, of an object of the package, while `load` imports the module that has it."""
        if name in self._entries:
            raise KeyError(f"Registering two {self._name} with name '{name}'!")
        self._set(candidate, name)

    def _set(self, candidate: Any, name: str) -> None:
        # Three frames up: past this function, the method and the decorator that calls it.
        frame = sys._getframe(2)
        frame = frame.f_back or frame
        location = f"{frame.f_code.co_name} {frame.f_code.co_filename}:{frame.f_lineno}"
        self._entries[name] = {"type": candidate, "location": location}

    def list(self) -> KeysView[str]:
        """The registered names."""
        return self._registry.keys()

    def lookup(self, name: str | bytes) -> Any:
        """The object registered as `name`. Raises LookupError if there is none."""
        key = name.decode() if isinstance(name, bytes) else name
        try:
            return self._registry[key]["type"]
        except KeyError:
            raise LookupError(f"{self._name} registry has no entry for: {key}") from None
