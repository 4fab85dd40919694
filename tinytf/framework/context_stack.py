"""Thread-local stacks of defaults: the default graph, the default session."""

from __future__ import annotations

import threading
from contextlib import ContextDecorator
from typing import Any


class DefaultStack(threading.local):
    """Last in, first out; every thread has a stack of its own, empty at first."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[Any] = []

    def get(self) -> Any:
        """The innermost default, or None."""
        return self.stack[-1] if self.stack else None

    def reset(self) -> None:
        """Forgets every default of this thread."""
        self.stack = []

    def push(self, default: Any) -> int:
        """Makes `default` the innermost one; returns its place, for `leave`."""
        self.stack.append(default)
        return len(self.stack) - 1

    def pop(self, default: Any) -> None:
        """Ends the innermost default, which `default` must be: AssertionError else, and nothing changes.

        Does nothing if the stack is empty: then it was reset since the push.
        """
        if self.stack:
            if self.stack[-1] is not default:
                raise AssertionError(f"Nesting violated for default stack of {type(default)} objects")
            self.stack.pop()

    def leave(self, default: Any, place: int) -> None:
        """As `pop`, of what `push` put at `place`; but it is gone afterwards, also if it was not the innermost one."""
        try:
            self.pop(default)
        except AssertionError:
            for i in reversed(range(min(place + 1, len(self.stack)))):  # what was below may be gone too
                if self.stack[i] is default:
                    del self.stack[i]
                    break
            raise

    def remove(self, default: Any) -> None:
        """Takes away the outermost entry of `default`, wherever it is; nothing happens if there is none."""
        for i, entry in enumerate(self.stack):
            if entry is default:
                del self.stack[i]
                return

    def entered(self, default: Any) -> Entered:
        """A context manager that makes `default` the innermost one for its body."""
        return Entered(self, default)


class Entered(ContextDecorator):
    """One `as_default()`: may be entered again, also inside itself. AssertionError if bodies end in another order."""

    __slots__ = ("_default", "_stack")

    def __init__(self, stack: DefaultStack, default: Any) -> None:
        self._stack = stack
        self._default = default

    def __enter__(self) -> Any:
        self._stack.push(self._default)
        return self._default

    def __exit__(self, *exc: Any) -> None:
        self._stack.pop(self._default)
