"""Modules that no file is: their names stand in a table, and are loaded when they are first asked for."""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tinytf.api.missing import no_such_name


class ModulesByPath(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The modules below a package that are in its table and not in files.

    Args:
      root: the package's full name.
      table: a file with a line `path: name name` for each module. `name=other.name` is a name for something that is called
        otherwise; else it is called by the last part of what it leads to.
      load: what `other.name` is.
    """

    def __init__(self, root: str, table: Path, load: Callable[[str], Any]) -> None:
        self._root, self._table, self._load = root, table, load

    def install(self) -> None:
        """From now on the modules can be imported. Files come before them."""
        sys.meta_path.append(self)

    def all_names(self) -> dict[str, dict[str, str]]:
        """The table: the names of each module, by its path, and what they lead to."""
        return self._names

    def names(self, fullname: str) -> dict[str, str]:
        """The names of a module, and what they lead to; nothing for modules that are not in the table."""
        return self._names.get(self._below(fullname), {})

    def module(self, fullname: str, home: types.ModuleType | None = None) -> types.ModuleType:
        """A new module that has the names of the table, and those of `home` before them."""
        module = types.ModuleType(fullname, f"TensorFlow's path to {self._below(fullname)}.")
        own = (getattr(home, "__all__", None) or [n for n in dir(home) if n[0] != "_"]) if home is not None else ()
        names = sorted({*self.names(fullname), *own})
        module.__dict__.update(
            __getattr__=functools.partial(self.load, module.__dict__, home), __dir__=lambda: names, __all__=names
        )
        if home is not None:
            module.__dict__["__home__"] = home  # for those who look for files
        return module

    def load(self, module: dict[str, Any], home: types.ModuleType | None, name: str) -> Any:
        """What a module, of which this is the dictionary, has under a name that it was not asked for before. AttributeError
        if there is no such name."""
        if home is not None and hasattr(home, name):
            return getattr(home, name)
        fullname = module["__name__"]
        place = self.names(fullname).get(name)
        if place is None:
            raise no_such_name(fullname, name)
        return module.setdefault(name, self._load(place))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        below = self._below(fullname)
        if not below:
            return None
        is_package = any(known.startswith(f"{below}.") for known in self._names)
        if not is_package and below not in self._names:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=is_package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return self.module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass

    @functools.cached_property
    def _names(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for line in self._table.read_text().splitlines():
            path, _, entries = line.partition(": ")
            pairs = (entry.rpartition("=") for entry in entries.split())
            found[path] = {name or place.rpartition(".")[2]: place for name, _, place in pairs}
        return found

    def _below(self, fullname: str) -> str:
        """The path below the root; "" for what is not below it."""
        return fullname[len(self._root) + 1 :] if fullname.startswith(f"{self._root}.") else ""
