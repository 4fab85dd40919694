"""What is done at the end of the process for modules that a program may never load."""

from __future__ import annotations

from collections.abc import Callable

_actions: list[Callable[[], None]] = []


def at_process_end(action: Callable[[], None]) -> None:
    """Has an action run when the interpreter ends, after all that a program has registered with `atexit`. For the last
    statement of a module: what is registered is complete. Thread-safe."""
    _actions.append(action)


def run_actions() -> None:
    """Runs the actions, the last one first."""
    while _actions:
        _actions.pop()()
