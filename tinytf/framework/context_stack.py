"""Thread-local stacks of defaults: the default graph, the default session."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
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

    @contextmanager
    def entered(self, default: Any) -> Iterator[Any]:
        """Makes `default` the innermost one for the body. AssertionError if bodies end in another order."""
        self.stack.append(default)
        try:
            yield default
        finally:
            # An empty stack was reset meanwhile; then there is nothing to restore.
            if self.stack:
                if self.stack[-1] is not default:
                    raise AssertionError(f"Nesting violated for default stack of {type(default)} objects")
                self.stack.pop()
