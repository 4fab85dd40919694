"""How operations run: as nodes of a graph, or eagerly, as they are called. Belongs to the Python context, as what every
context variable holds: a new thread starts without, tasks of asyncio do not see each other's. The process has a default."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tinytf import _core
from tinytf.exports import tf_export
from tinytf.framework.context_variable import ContextVariable

executing_eagerly = _core.executing_eagerly

_GRAPH, _EAGER = 1, 2


@contextmanager
def eager_mode() -> Iterator[None]:
    """Operations called in the body are executed."""
    frame = _core.enter_mode(_EAGER)
    try:
        yield
    finally:
        _core.leave_frame(frame)


@contextmanager
def graph_mode() -> Iterator[None]:
    """Operations called in the body build graphs."""
    frame = _core.enter_mode(_GRAPH)
    try:
        yield
    finally:
        _core.leave_frame(frame)


def enter_graph_mode() -> Any:
    """As graph_mode, for those who end it themselves with leave_mode(what this returns)."""
    return _core.enter_mode(_GRAPH)


def leave_mode(frame: Any) -> None:
    """Ends the mode, also if another was entered since."""
    _core.leave_frame(frame)


# The name scope that eager operations are in: it names variables.
_scope = ContextVariable("tinytf_eager_name_scope", "")


def current_scope() -> str:
    """The name scope of eager operations: "" or "a/b/"."""
    return _scope.get()


def enter_eager_scope(name: str | None) -> tuple[str, str]:
    """As entering `Graph.name_scope`, for operations that are executed: names need not be unique.

    Returns the scope before, for leave_eager_scope, and the new one.
    """
    before = _scope.get()
    scope = name if name and name[-1] == "/" else f"{before}{name}/" if name else ""
    _scope.set(scope)
    return before, scope


def leave_eager_scope(before: str) -> None:
    """Back to the name scope before."""
    _scope.set(before)


@contextmanager
def eager_device(number: int) -> Iterator[None]:
    """Eager operations called in the body run on the CPU device of that number."""
    frame = _core.enter_device(number)
    try:
        yield
    finally:
        _core.leave_frame(frame)


class NoScope(AbstractContextManager[None]):
    """A scope without a meaning where operations are executed in the order of their calls."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: Any) -> None:
        return None


tf_export("executing_eagerly").constant(__name__, "executing_eagerly")
