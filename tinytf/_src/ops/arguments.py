"""Arguments that TensorFlow 1 accepts under two names."""

from __future__ import annotations

from typing import Any


def renamed(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """Returns the value of a renamed argument. Raises ValueError if both the new and the old name are used."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old_value


def keeps_dims(keepdims: Any, keep_dims: Any = None) -> Any:
    """Returns the value of `keepdims`, formerly `keep_dims`: False if it is None. It may be no bool, which ops reject.
    Raises ValueError if both names are used.
    """
    given = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    return False if given is None else given
