"""Modules without a file: their names are listed in a table and loaded at first use."""

from __future__ import annotations

import functools
import importlib.machinery
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tinytf._src.api.missing import no_such_name

if TYPE_CHECKING:
    from importlib.abc import Loader as _Loader
else:
    _Loader = object  # the import of `importlib.abc` loads twenty modules, most of them to read resources of packages


class _Module(types.ModuleType):
    """A module whose names take precedence over submodules of the same name, as if a TensorFlow package imported
    them."""

    def __setattr__(self, name: str, value: Any) -> None:
        is_part = isinstance(value, types.ModuleType) and value.__name__ == f"{self.__name__}.{name}"
        if not (is_part and name in self.__all__):
            super().__setattr__(name, value)


class ModulesByPath(_Loader):
    """Finder and loader of the modules below a package that are listed in a table instead of having files.

    Args:
      root: str, full name of the package.
      table: path of a file with a line `path: name name` per module. `name=other.name` binds `name` to `other.name`; an
        entry without `=` is bound to its last component.
      load: callable that returns the object for the right-hand side `other.name`.
    """

    def __init__(self, root: str, table: Path, load: Callable[[str], Any]) -> None:
        self._root, self._table, self._load = root, table, load

    def install(self) -> None:
        """Makes the modules importable; modules with files take precedence."""
        sys.meta_path.append(self)

    def all_names(self) -> dict[str, dict[str, str]]:
        """The whole table: target by name, keyed by module path."""
        return self._names

    def names(self, fullname: str) -> dict[str, str]:
        """The targets of a module's names, by name; empty for modules that are not in the table."""
        return self._names.get(self._below(fullname), {})

    def module(self, fullname: str, home: types.ModuleType | None = None) -> types.ModuleType:
        """A new module with the names of the table and the exports of `home`; `home` takes precedence."""
        module = _Module(fullname, f"TensorFlow's path to {self._below(fullname)}.")
        own = (getattr(home, "__all__", None) or [n for n in dir(home) if n[0] != "_"]) if home is not None else ()
        names = sorted({*self.names(fullname), *own})
        module.__dict__.update(
            __getattr__=functools.partial(self.load, module.__dict__, home), __dir__=lambda: names, __all__=names
        )
        if home is not None:
            module.__dict__["__home__"] = home  # read by tools that look for the module's file
        return module

    def load(self, module: dict[str, Any], home: types.ModuleType | None, name: str) -> Any:
        """The value of `name` in the module with this dictionary; values from the table are cached in it. Raises
        AttributeError if there is no such name."""
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
        """The module path relative to the root; "" for modules outside of it."""
        return fullname[len(self._root) + 1 :] if fullname.startswith(f"{self._root}.") else ""
