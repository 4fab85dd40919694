"""Logs an error if a result that a program should use is dropped, for example an assertion that never runs."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.sites.users_site import users_frame
from tinytf._src.framework.values.tensor_like import is_eager_tensor

_Function = TypeVar("_Function", bound=Callable[..., Any])

_FRAMES = 5  # frames of the program in a message
_kinds: dict[type, type] = {}  # class of a result → class of its watched stand-in


class _Watch:
    """A watched result, where it was created, and whether it was used. Logs an error if it is dropped unused."""

    __slots__ = ("result", "stack", "used")

    def __init__(self, result: Any, used: bool) -> None:
        self.result = result
        self.used = used
        frames = traceback.walk_stack(None if used else users_frame())
        self.stack = None if used else traceback.StackSummary.extract(frames, limit=_FRAMES, lookup_lines=False)

    def __del__(self) -> None:
        if self.used or self.stack is None:
            return
        self.stack.reverse()
        tf_logging.error(
            "==================================\n"
            f"Object was never used (type {type(self.result)}):\n{self.result!r}\n"
            'If you want to mark it as used call its "mark_used()" method.\n'
            f"It was originally created here:\n{''.join(self.stack.format())}"
            "=================================="
        )


def _watch_of(watched: Any) -> _Watch:
    return object.__getattribute__(watched, "__dict__")["_watch"]


class _Watched:
    """Mixin for a subclass of the result's class. Attribute accesses are forwarded to the result and count as use."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        watch = _watch_of(self)
        watch.used = True
        return object.__getattribute__(self, name) if name == "mark_used" else getattr(watch.result, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_watch_of(self).result, name, value)

    def __eq__(self, other: object) -> bool:
        result = _watch_of(self).result
        return other is self or other is result or (isinstance(other, _Watched) and _watch_of(other).result is result)

    def __hash__(self) -> int:
        return hash(_watch_of(self).result)

    def mark_used(self) -> None:
        """Marks the result as dropped on purpose."""


def watched(result: Any) -> Any:
    """Wraps a result in an object that logs an error if it is dropped before its first use; has `mark_used()`.

    Logs nothing in eager mode and in functions, where operations with side effects run anyway. None and eager tensors
    are returned unchanged.
    """
    if result is None or is_eager_tensor(result):
        return result
    cls = type(result)
    kind = _kinds.get(cls)
    if kind is None:
        parts = {"__slots__": (), "__module__": cls.__module__, "__doc__": cls.__doc__}
        kind = _kinds[cls] = type(cls.__name__, (_Watched, cls), parts)
    stand_in: Any = object.__new__(kind)
    runs_anyway = executing_eagerly() or get_default_graph().building_function
    object.__getattribute__(stand_in, "__dict__")["_watch"] = _Watch(result, used=runs_anyway)
    return stand_in


def should_use_result(function: _Function) -> _Function:
    """Decorator for functions whose results are `watched`."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return watched(function(*args, **kwargs))

    return call  # type: ignore[return-value]
