"""How the public API finds its names: each is loaded when it is first asked for, from where it is defined.

The table of all names is written by the build, and read when the first is asked for. What a program has used
stands in the module's own dictionary, so that it costs nothing from then on.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from importlib import import_module
from typing import Any

from tinytf._gen.namespaces import NAMESPACES
from tinytf.api.from_imports import FromImports
from tinytf.exports import drop_annotations, functions_of

_HOOKS = {"__dir__", "__getattr__"}


def install(tf: types.ModuleType) -> None:
    """Gives the package `tf` its namespaces: `tf.math`, `tf.random`, …; `tinytf.compat.v1` is the package itself."""
    for name, doc in NAMESPACES.items():
        namespace(name, doc)
    sys.modules["tinytf.compat.v1"] = tf
    sys.meta_path.append(FromImports())


def namespace(name: str, doc: str) -> types.ModuleType:
    """A new module `tinytf.<name>`, which has the public names that begin so; what it is in comes first."""
    module = types.ModuleType(f"tinytf.{name}", doc)
    module.__dict__.update(
        __path__=[],  # a package: what is in it may be imported by its full name
        __getattr__=functools.partial(load, module),
        __dir__=functools.partial(names, module),
    )
    outer, _, last = module.__name__.rpartition(".")
    sys.modules[module.__name__] = module
    setattr(sys.modules[outer], last, module)
    return module


def load(module: types.ModuleType, name: str) -> Any:
    """What a module of the API has under a name that it was not asked for before. AttributeError if there is no such name;
    `__all__` are all public names, as a star imports them."""
    place = _places().get(_path(module, name))
    if place is None:
        if name == "__all__":
            return _public(module)
        from tinytf.api.missing import no_such_name

        raise no_such_name(module.__name__, name)
    home, _, attribute = place.partition(":")
    value: Any = import_module(home, "tinytf")
    if attribute:
        value = getattr(value, attribute)
        if isinstance(value, (types.FunctionType, type)):
            show_signatures(value)
    return vars(module).setdefault(name, value)


def show_signatures(value: Any) -> None:
    """Lets `inspect.getfullargspec` see what functions are in TensorFlow 1.15: of one that wraps another one the arguments
    of that, as `inspect.signature` shows them, and no annotations. Of a class, those of its methods."""
    for defined in value.__mro__[:-1] if isinstance(value, type) else (value,):
        if str(defined.__module__).partition(".")[0] in ("tinytf", "tensorflow"):
            drop_annotations(defined)
            for function in functions_of(defined):
                told = vars(function)
                if "__wrapped__" in told and "__signature__" not in told:
                    function.__signature__ = inspect.signature(function)


def names(module: types.ModuleType) -> list[str]:
    """What `dir` lists: public names, loaded or not, and what else the module has, without the package's own rooms."""
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
    """The name below `tf`."""
    return f"{module.__name__}.{name}".partition(".")[2]
