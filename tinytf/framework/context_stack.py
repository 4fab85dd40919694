"""Stacks of defaults: the default graph, the default session."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any

from tinytf.framework.context_variable import ContextVariable


class DefaultStack:
    """Last in, first out. Belongs to the Python context: every thread has a stack of its own, empty at first, and tasks of
    asyncio do not see each other's."""

    def __init__(self, name: str) -> None:
        self._stack = ContextVariable[tuple[Any, ...]](name, ())

    @property
    def stack(self) -> tuple[Any, ...]:
        """All defaults, innermost last."""
        return self._stack.get()

    def get(self) -> Any:
        """The innermost default, or None."""
        stack = self._stack.get()
        return stack[-1] if stack else None

    def reset(self) -> None:
        """Forgets every default."""
        self._stack.set(())

    def push(self, default: Any) -> int:
        """Makes `default` the innermost one; returns its place, for `leave`."""
        stack = self._stack.get()
        self._stack.set((*stack, default))
        return len(stack)

    def pop(self, default: Any) -> None:
        """Ends the innermost default, which `default` must be: AssertionError else, and nothing changes.

        Does nothing if the stack is empty: then it was reset since the push.
        """
        stack = self._stack.get()
        if stack:
            if stack[-1] is not default:
                raise AssertionError(f"Nesting violated for default stack of {type(default)} objects")
            self._stack.set(stack[:-1])

    def leave(self, default: Any, place: int) -> None:
        """As `pop`, of what `push` put at `place`; but it is gone afterwards, also if it was not the innermost one."""
        try:
            self.pop(default)
        except AssertionError:
            for i in reversed(range(min(place + 1, len(self.stack)))):  # what was below may be gone too
                if self.stack[i] is default:
                    self._delete(i)
                    break
            raise

    def remove(self, default: Any) -> None:
        """Takes away the outermost entry of `default`, wherever it is; nothing happens if there is none."""
        for i, entry in enumerate(self.stack):
            if entry is default:
                self._delete(i)
                return

    def _delete(self, place: int) -> None:
        stack = self._stack.get()
        self._stack.set(stack[:place] + stack[place + 1 :])

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
