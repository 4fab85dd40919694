"""Errors about missing names of modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from tinytf._src.api.missing import no_such_name


def no_other_names(module: str) -> Callable[[str], NoReturn]:
    """The `__getattr__` of a module that defines all its names itself: raises an AttributeError that says whether
    TensorFlow 1.15 has the name."""

    def missing(name: str) -> NoReturn:
        raise no_such_name(module, name)

    return missing
