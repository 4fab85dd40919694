"""Public names are declared where things are defined: `@tf_export("math.abs", "abs")`.

A program notices nothing of it. The build reads the declarations, without importing what it reads
(`tools/public_names.py`), and writes the table by which `tf` finds what it is asked for.
"""

from __future__ import annotations

from typing import TypeVar

_Defined = TypeVar("_Defined")


class tf_export:
    """Names below `tf` of a function or class, which it decorates; or of values and modules, which its methods name.

    Written at the top level of a module, with plain strings: it is read as text.
    """

    __slots__ = ()

    def __init__(self, *names: str) -> None:
        pass

    def __call__(self, defined: _Defined) -> _Defined:
        return defined

    def constant(self, module: str, name: str) -> None:
        """These are names of what a module has under `name`; the module is `__name__` or a string."""

    def constants(self, module: str, *names: str) -> None:
        """The same for several: `*` in the public names stands for each name. `*__all__` are those of the module's list."""

    def module(self, name: str) -> None:
        """These are names of a module."""

    def namespace(self, doc: str | None) -> None:
        """These are modules that hold public names and that no file is; `doc`, a string or `__doc__`, says which names."""
