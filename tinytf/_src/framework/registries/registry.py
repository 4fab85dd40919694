"""A registry by name that records where each entry was registered."""

from __future__ import annotations

import sys
from collections.abc import Callable, KeysView
from typing import Any


class Registry:
    """Maps names to registered objects. Lookups are thread-safe.

    Entries of the package itself may be registered late, by modules that are not imported yet: see `load_first`.

    Args:
      name: the kind of entries in messages, for example "gradient".
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._entries: dict[str, dict[str, Any]] = {}
        self._load: Callable[[], None] | None = None

    def load_first(self, load: Callable[[], None]) -> None:
        """Sets a function that is called before each access except `add`. It imports the modules that `add` entries;
        several threads may call it at once."""
        self._load = load

    @property
    def _registry(self) -> dict[str, dict[str, Any]]:
        """All entries: name → dict with "type" and "location". Programs read and modify it."""
        if self._load is not None:
            self._load()
        return self._entries

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Registers `candidate` under `name`, by default its `__name__`. Raises KeyError if the name is taken."""
        name = name or candidate.__name__
        if name in self._registry:
            where = self._registry[name]["location"]
            raise KeyError(f"Registering two {self._name} with name '{name}'! (Previous registration was in {where})")
        self._set(candidate, name)

    def add(self, candidate: Any, name: str) -> None:
        """Registers an object of the package while `load` imports its module. Raises KeyError if the name is taken."""
        if name in self._entries:
            raise KeyError(f"Registering two {self._name} with name '{name}'!")
        self._set(candidate, name)

    def _set(self, candidate: Any, name: str) -> None:
        # Skips this function, the method, and the decorator that calls it.
        frame = sys._getframe(2)
        frame = frame.f_back or frame
        location = f"{frame.f_code.co_name} {frame.f_code.co_filename}:{frame.f_lineno}"
        self._entries[name] = {"type": candidate, "location": location}

    def list(self) -> KeysView[str]:
        """The registered names, as a view."""
        return self._registry.keys()

    def lookup(self, name: str | bytes) -> Any:
        """The object registered as `name`. Raises LookupError if there is none."""
        key = name.decode() if isinstance(name, bytes) else name
        try:
            return self._registry[key]["type"]
        except KeyError:
            raise LookupError(f"{self._name} registry has no entry for: {key}") from None
