"""Public names are declared where things are defined: `@tf_export("math.abs", "abs")`.

Programs see one effect: annotations of public functions and methods are for editors and type checkers, which read the
sources and stubs, and are gone at run time. Packages compare `inspect.getfullargspec` of TensorFlow's functions, which have
none, with that of their own. The build reads the declarations, without importing what it reads
(`tools/public_names.py`), and writes the table by which `tf` finds what it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

_Defined = TypeVar("_Defined")


def _is_own(cls: type) -> bool:
    return str(cls.__module__).partition(".")[0] in ("tinytf", "tensorflow")


def functions_of(defined: Any) -> list[Any]:
    """A function alone; the functions that a class itself and classes in it define, those of static methods and class
    methods among them."""
    if not isinstance(defined, type):
        return [defined] if defined.__class__ is FunctionType else []
    values = list(vars(defined).values())
    inner = [value for value in values if isinstance(value, type) and _is_own(value)]
    found = [getattr(value, "__func__", value) for cls in (defined, *inner) for value in vars(cls).values()]
    return [value for value in found if value.__class__ is FunctionType]


def drop_annotations(defined: Any) -> None:
    """Of functions, of those that they wrap, and of the methods that a class itself defines."""
    for function in functions_of(defined):
        while function is not None:
            function.__annotations__ = {}
            function = getattr(function, "__wrapped__", None)


def named(name: str) -> Callable[[_Defined], _Defined]:
    """A decorator of classes that TensorFlow 1.15 calls otherwise: sets the `__name__`, which programs look at."""

    def rename(defined: _Defined) -> _Defined:
        defined.__name__ = name  # type: ignore[attr-defined]
        return defined

    return rename


class tf_export:
    """Names below `tf` of a function or class, which it decorates; or of values and modules, which its methods name.

    Written at the top level of a module, with plain strings: it is read as text.
    """

    __slots__ = ()

    def __init__(self, *names: str) -> None:
        pass

    def __call__(self, defined: _Defined) -> _Defined:
        drop_annotations(defined)
        return defined

    def constant(self, module: str, name: str) -> None:
        """These are names of what a module has under `name`; the module is `__name__` or a string."""

    def constants(self, module: str, *names: str) -> None:
        """The same for several: `*` in the public names stands for each name. `*__all__` are those of the module's list."""

    def module(self, name: str) -> None:
        """These are names of a module."""

    def namespace(self, doc: str | None) -> None:
        """These are modules that hold public names and that no file is; `doc`, a string or `__doc__`, says which names."""
