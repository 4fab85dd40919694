"""The dtype and static shape of variables behind eager handles."""

from __future__ import annotations

import weakref
from typing import Any

# By handle, as long as it lives: tensors have no attributes of their own.
_known: weakref.WeakKeyDictionary[Any, tuple[Any, Any]] = weakref.WeakKeyDictionary()


def note_handle(handle: Any, dtype: Any, shape: Any) -> None:
    """Records the dtype and shape of the variable behind a handle."""
    _known[handle] = dtype, shape


def handle_data(handle: Any) -> tuple[Any, Any] | None:
    """Pair (dtype, shape) of the variable behind an eager handle; None if the handle was not recorded."""
    return _known.get(handle)
