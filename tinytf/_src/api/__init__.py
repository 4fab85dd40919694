"""Loads the public API lazily: each public name is imported from its defining module at its first use.

The build writes the table of all names; it is read at the first lookup. A name that was used is cached in the module's
dictionary, so later lookups cost nothing.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from importlib import import_module
from typing import Any

from tinytf._gen.namespaces import NAMESPACES
from tinytf._src.api.from_imports import FromImports
from tinytf._src.exports import drop_annotations, functions_of

_HOOKS = {"__dir__", "__getattr__"}


def install(tf: types.ModuleType) -> None:
    """Creates the namespaces of the package `tf` (`tf.math`, `tf.random`, …) and makes `tinytf.compat.v1` an alias of
    it."""
    for name, doc in NAMESPACES.items():
        namespace(name, doc)
    sys.modules["tinytf.compat.v1"] = tf
    sys.meta_path.append(FromImports())


def namespace(name: str, doc: str) -> types.ModuleType:
    """Creates the module `tinytf.<name>`, which loads the public names below `<name>`; its parent module must exist
    already."""
    module = types.ModuleType(f"tinytf.{name}", doc)
    module.__dict__.update(
        __path__=[],  # a package, so that its members can be imported by their full names
        __getattr__=functools.partial(load, module),
        __dir__=functools.partial(names, module),
    )
    outer, _, last = module.__name__.rpartition(".")
    sys.modules[module.__name__] = module
    setattr(sys.modules[outer], last, module)
    return module


def load(module: types.ModuleType, name: str) -> Any:
    """The value of `name` in a module of the API, cached in the module afterwards. Raises AttributeError if there is no
    such name; `__all__` is the list of all public names."""
    place = _places().get(_path(module, name))
    if place is None:
        if name == "__all__":
            return _public(module)
        from tinytf._src.api.missing import no_such_name

        raise no_such_name(module.__name__, name)
    home, _, attribute = place.partition(":")
    value: Any = import_module(home, "tinytf")
    if attribute:
        value = getattr(value, attribute)
        if isinstance(value, (types.FunctionType, type)):
            show_signatures(value)
    return vars(module).setdefault(name, value)


def show_signatures(value: Any) -> None:
    """Makes `inspect.getfullargspec` agree with TensorFlow 1.15 for a function or the methods of a class: no
    annotations, and for a wrapper the arguments of the function that it wraps, as `inspect.signature` reports them."""
    for defined in value.__mro__[:-1] if isinstance(value, type) else (value,):
        if str(defined.__module__).partition(".")[0] in ("tinytf", "tensorflow"):
            drop_annotations(defined)
            for function in functions_of(defined):
                told = vars(function)
                if "__wrapped__" in told and "__signature__" not in told:
                    function.__signature__ = inspect.signature(function)


def names(module: types.ModuleType) -> list[str]:
    """The names that `dir` lists: public names, loaded or not, and other attributes, without the package's own
    submodules."""
    there = {name for name in vars(module) if name[0] == "_" or f"{module.__name__}.{name}" not in sys.modules}
    return sorted({*there, *_public(module)} - _HOOKS)


def _places() -> dict[str, str]:
    from tinytf._gen.public_names import PLACES

    return PLACES


def _public(module: types.ModuleType) -> list[str]:
    begin = _path(module, "")
    found = [name[len(begin) :] for name in (*_places(), *NAMESPACES) if name.startswith(begin)]
    return sorted({name for name in found if "." not in name})


def _path(module: types.ModuleType, name: str) -> str:
    """The dotted name below `tf`."""
    return f"{module.__name__}.{name}".partition(".")[2]
