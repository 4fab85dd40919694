"""Execution mode: operations are added to a graph, or executed eagerly when they are called.

The mode is a context variable: new threads start without a mode, asyncio tasks do not share changes. The process has a
default mode.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tinytf import _core
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.context_variable import ContextVariable

executing_eagerly = _core.executing_eagerly

_GRAPH, _EAGER = 1, 2


@contextmanager
def eager_mode() -> Iterator[None]:
    """Context manager whose body executes operations eagerly."""
    frame = _core.enter_mode(_EAGER)
    try:
        yield
    finally:
        _core.leave_frame(frame)


@contextmanager
def graph_mode() -> Iterator[None]:
    """Context manager whose body adds operations to a graph."""
    frame = _core.enter_mode(_GRAPH)
    try:
        yield
    finally:
        _core.leave_frame(frame)


def enter_graph_mode() -> Any:
    """Enters graph mode until `leave_mode` is called with the returned value."""
    return _core.enter_mode(_GRAPH)


def leave_mode(frame: Any) -> None:
    """Leaves the mode, even if another one was entered since."""
    _core.leave_frame(frame)


# The name scope of eager operations, which names variables.
_scope = ContextVariable("tinytf_eager_name_scope", "")


def current_scope() -> str:
    """The name scope of eager operations: "" or "a/b/"."""
    return _scope.get()


def enter_eager_scope(name: str | None) -> tuple[str, str]:
    """Like entering `Graph.name_scope`, for eager operations: names need not be unique.

    Returns the previous scope, for `leave_eager_scope`, and the new one.
    """
    before = _scope.get()
    scope = name if name and name[-1] == "/" else f"{before}{name}/" if name else ""
    _scope.set(scope)
    return before, scope


def leave_eager_scope(before: str) -> None:
    """Restores the previous name scope."""
    _scope.set(before)


@contextmanager
def eager_device(number: int) -> Iterator[None]:
    """Context manager whose body runs eager operations on the CPU device with this number."""
    frame = _core.enter_device(number)
    try:
        yield
    finally:
        _core.leave_frame(frame)


class NoScope(AbstractContextManager[None]):
    """A scope without effect, for eager execution, which is in program order."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: Any) -> None:
        return None


tf_export("executing_eagerly").constant(__name__, "executing_eagerly")
