"""Validation of files of recorded steps, which may be corrupt or malicious."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.errors import errors_impl


class Damage(Exception):
    """Raised if the content of a file is invalid; the text is the reason."""


@contextmanager
def damage_if(*errors: type[Exception]) -> Iterator[None]:
    """Context manager that turns the given exceptions into Damage, for code that decodes content of the file."""
    try:
        yield
    except errors as e:
        raise Damage(str(e)) from e


@contextmanager
def damage_told(path: str) -> Iterator[None]:
    """Context manager that turns Damage into a DataLossError for users; other exceptions pass through."""
    try:
        yield
    except Damage as e:
        raise errors_impl.DataLossError(None, None, f"{path} is not a valid record of steps: {e}") from e


def check(value: Any, kind: type) -> Any:
    """Returns `value` if its type is exactly `kind` and it is not a negative int; raises Damage otherwise."""
    if type(value) is not kind or (isinstance(value, int) and value < 0):
        raise Damage(f"expected a valid {kind.__name__}, got {value!r}")
    return value


def check_items(value: Any, size: int | None = None) -> list[Any]:
    """Returns `value` if it is a list, of length `size` if that is given; raises Damage otherwise."""
    if type(value) is not list or (size is not None and len(value) != size):
        raise Damage(f"expected a list{'' if size is None else f' of {size} items'}, got {value!r}")
    return value
