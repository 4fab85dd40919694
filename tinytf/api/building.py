"""Modules that are made for the public API: `tf.math` and all that no file is."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable
from typing import Any

from tinytf.api.missing import tell_missing


def namespace(name: str, doc: str | None, members: dict[str, Any] | None = None) -> types.ModuleType:
    """A new module `tinytf.<name>` with these members."""
    module = types.ModuleType(f"tinytf.{name}", doc)
    module.__dict__.update(members or {}, __path__=[])  # a package: what is in it may be imported by its full name
    tell_missing(module)
    sys.modules[module.__name__] = module
    return module


def pick(source: Any, names: Iterable[str]) -> dict[str, Any]:
    """The named attributes of a module, by name."""
    return {name: getattr(source, name) for name in names}


def attach(root: types.ModuleType, dotted: str, value: Any) -> None:
    """Gives the module below `root` that `dotted` names its last part, making namespaces on the way; never replaces what
    is there."""
    *path, last = dotted.split(".")
    for part in path:
        inner = vars(root).get(part)
        if inner is None:
            inner = namespace(f"{root.__name__.partition('.')[2]}.{part}".lstrip("."), f"The names of tf.{part}.")
            setattr(root, part, inner)
        root = inner
    if last not in vars(root):
        setattr(root, last, value)
