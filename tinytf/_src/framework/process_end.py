"""Cleanup at the end of the process, for modules that may never be imported."""

from __future__ import annotations

from collections.abc import Callable

_actions: list[Callable[[], None]] = []


def at_process_end(action: Callable[[], None]) -> None:
    """Registers an action that runs at interpreter exit, after all of the program's `atexit` functions. Call it in the
    last statement of a module, so that a registered module is complete. Thread-safe."""
    _actions.append(action)


def run_actions() -> None:
    """Runs the actions in reverse order of registration."""
    while _actions:
        _actions.pop()()
