"""What is said of a file of recorded steps that is broken, or was made to do harm."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf.framework import errors_impl


class Damage(Exception):
    """What is wrong with the content of a file."""


@contextmanager
def damage_if(*errors: type[Exception]) -> Iterator[None]:
    """Around what turns content of the file into something else: these errors of it mean that the content is damaged."""
    try:
        yield
    except errors as e:
        raise Damage(str(e)) from e


@contextmanager
def damage_told(path: str) -> Iterator[None]:
    """Turns Damage of the file into the DataLossError that users get. Other errors pass: they are none of the file's."""
    try:
        yield
    except Damage as e:
        raise errors_impl.DataLossError(None, None, f"{path} is no whole record of steps: {e}") from e


def check(value: Any, kind: type) -> Any:
    """`value`, which is of exactly that type, and no negative int; Damage else."""
    if type(value) is not kind or (isinstance(value, int) and value < 0):
        raise Damage(f"{value!r} is no {kind.__name__}")
    return value


def check_items(value: Any, size: int | None = None) -> list[Any]:
    """`value`, which is a list, of that size if one is given; Damage else."""
    if type(value) is not list or (size is not None and len(value) != size):
        raise Damage(f"{value!r} is no list{'' if size is None else f' of {size}'}")
    return value
