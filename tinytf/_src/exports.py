"""`tf_export` declares public names next to the definition: `@tf_export("math.abs", "abs")`.

At run time the decorator only removes annotations of public functions and methods. Editors and type checkers read them
from the sources and stubs; but packages compare `inspect.getfullargspec` of their functions with TensorFlow's, which
have no annotations. The build parses the declarations without importing the modules (`tools/public_names.py`) and
writes the table that `tf` uses to look up its names.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

_Defined = TypeVar("_Defined")


def _is_own(cls: type) -> bool:
    return str(cls.__module__).partition(".")[0] in ("tinytf", "tensorflow")


def functions_of(defined: Any) -> list[Any]:
    """The function itself; for a class, the functions that it and its nested classes define, static and class methods
    included."""
    if not isinstance(defined, type):
        return [defined] if defined.__class__ is FunctionType else []
    values = list(vars(defined).values())
    inner = [value for value in values if isinstance(value, type) and _is_own(value)]
    found = [getattr(value, "__func__", value) for cls in (defined, *inner) for value in vars(cls).values()]
    return [value for value in found if value.__class__ is FunctionType]


def drop_annotations(defined: Any) -> None:
    """Clears the annotations of a function and of the functions that it wraps, or of all methods that a class itself
    defines."""
    for function in functions_of(defined):
        while function is not None:
            function.__annotations__ = {}
            function = getattr(function, "__wrapped__", None)


def named(name: str) -> Callable[[_Defined], _Defined]:
    """Class decorator that sets `__name__` to TensorFlow 1.15's name of the class, which programs inspect."""

    def rename(defined: _Defined) -> _Defined:
        defined.__name__ = name  # type: ignore[attr-defined]
        return defined

    return rename


class tf_export:
    """Declares public names below `tf`: of the decorated function or class, or, by its methods, of values and modules.

    Use it only at the top level of a module and with string literals, because the build parses it without running it.
    """

    __slots__ = ()

    def __init__(self, *names: str) -> None:
        pass

    def __call__(self, defined: _Defined) -> _Defined:
        drop_annotations(defined)
        return defined

    def constant(self, module: str, name: str) -> None:
        """Declares the names for the attribute `name` of `module`, which is `__name__` or a string."""

    def constants(self, module: str, *names: str) -> None:
        """Declares several attributes at once: `*` in the public names stands for each of `names`; `*__all__` means all
        names in the module's `__all__`."""

    def module(self, name: str) -> None:
        """Declares the names for a module, given by its full name."""

    def namespace(self, doc: str | None) -> None:
        """Declares the names as namespaces, modules without a file; `doc`, a string or `__doc__`, becomes their
        docstring."""
