"""Checks and copies of `SaverDef` messages, which name the operations of a saver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src import protos
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.scopes.name_scope import strip_name_scope

_NAMES = ("filename_tensor_name", "save_tensor_name", "restore_op_name")


def check_saver_def(saver_def: Any) -> None:
    """Raises ValueError if an object is no `SaverDef`, or does not name the operations that a graph needs."""
    if not isinstance(saver_def, protos.SaverDef):
        raise ValueError(f"saver_def must be a saver_pb2.SaverDef: {saver_def}")
    for name in () if executing_eagerly() else ("save_tensor_name", "restore_op_name"):
        if not getattr(saver_def, name):
            raise ValueError(f"saver_def must specify the {name}: {saver_def}")


def renamed(saver_def: Any, rename: Callable[[str], str]) -> Any:
    """Returns a copy whose names are changed by a function."""
    result = protos.SaverDef()
    result.CopyFrom(saver_def)
    for field in _NAMES:
        setattr(result, field, rename(getattr(saver_def, field)))
    return result


def relative_to(saver_def: Any, scope: str) -> Any:
    """Returns a copy whose names are relative to a name scope; None if some are outside of it."""
    if not all(getattr(saver_def, field).startswith(scope) for field in _NAMES):
        return None
    return renamed(saver_def, lambda name: strip_name_scope(name, scope))
