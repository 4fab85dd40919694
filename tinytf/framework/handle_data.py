"""What is known of the handles of eager variables: the type and the shape of what is behind them."""

from __future__ import annotations

import weakref
from typing import Any

# By the handle, for as long as it lives: tensors have no attributes of their own.
_known: weakref.WeakKeyDictionary[Any, tuple[Any, Any]] = weakref.WeakKeyDictionary()


def note_handle(handle: Any, dtype: Any, shape: Any) -> None:
    """Says what a variable's handle stands for."""
    _known[handle] = dtype, shape


def handle_data(handle: Any) -> tuple[Any, Any] | None:
    """(type, shape) of the variable behind an eager handle, or None if it is not known to be one's."""
    return _known.get(handle)
