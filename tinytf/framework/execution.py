"""How operations run: as nodes of a graph, or eagerly, as they are called. Thread-local, with a default of the process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tinytf import _core

executing_eagerly = _core.executing_eagerly

_DEFAULT, _GRAPH, _EAGER = 0, 1, 2


@contextmanager
def eager_mode() -> Iterator[None]:
    """Operations called in the body, on this thread, are executed."""
    before = _core.set_thread_mode(_EAGER)
    try:
        yield
    finally:
        _core.set_thread_mode(before)


@contextmanager
def graph_mode() -> Iterator[None]:
    """Operations called in the body, on this thread, build graphs."""
    before = _core.set_thread_mode(_GRAPH)
    try:
        yield
    finally:
        _core.set_thread_mode(before)


def enter_graph_mode() -> int:
    """As graph_mode, for those who end it themselves with leave_mode(what this returns)."""
    return _core.set_thread_mode(_GRAPH)


def follow_session() -> int:
    """Operations of this thread are executed if a session was entered, whatever the thread did before.

    For leave_mode, which ends that: what the mode was.
    """
    return _core.set_thread_mode(_DEFAULT)


def leave_mode(before: int) -> None:
    """Back to the mode before."""
    _core.set_thread_mode(before)


class _Names(threading.local):
    """The name scope that a thread's eager operations are in: it names variables."""

    scope = ""


_names = _Names()


def current_scope() -> str:
    """The name scope of this thread's eager operations: "" or "a/b/"."""
    return _names.scope


def enter_eager_scope(name: str | None) -> tuple[str, str]:
    """As entering `Graph.name_scope`, for operations that are executed: names need not be unique.

    Returns the scope before, for leave_eager_scope, and the new one.
    """
    before = _names.scope
    scope = name if name and name[-1] == "/" else f"{before}{name}/" if name else ""
    _names.scope = scope
    return before, scope


def leave_eager_scope(before: str) -> None:
    """Back to the name scope before."""
    _names.scope = before


@contextmanager
def eager_device(number: int) -> Iterator[None]:
    """Eager operations called in the body, on this thread, run on the CPU device of that number."""
    before = _core.set_thread_device(number)
    try:
        yield
    finally:
        _core.set_thread_device(before)


class NoScope(AbstractContextManager[None]):
    """A scope without a meaning where operations are executed in the order of their calls."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: Any) -> None:
        return None
