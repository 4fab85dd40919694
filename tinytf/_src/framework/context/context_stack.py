"""Stacks of defaults, for the default graph and the default session."""

from __future__ import annotations

import sys
from contextlib import ContextDecorator
from typing import Any

from tinytf._src.framework.context.context_variable import ContextVariable


class DefaultStack:
    """A stack in a context variable: each thread starts with an empty one, and asyncio tasks do not share changes."""

    def __init__(self, name: str) -> None:
        stack = ContextVariable[tuple[Any, ...]](name, ())
        self._get, self._set = stack.get, stack.set

    @property
    def stack(self) -> tuple[Any, ...]:
        """All defaults, innermost last."""
        return self._get()

    def get(self) -> Any:
        """The innermost default, or None."""
        stack = self._get()
        return stack[-1] if stack else None

    def reset(self) -> None:
        """Removes all defaults."""
        self._set(())

    def push(self, default: Any) -> int:
        """Makes `default` the innermost one; returns its index, for `leave`."""
        stack = self._get()
        self._set((*stack, default))
        return len(stack)

    def pop(self, default: Any) -> None:
        """Removes the innermost default. Raises AssertionError, without a change, if it is not `default`.

        Does nothing if the stack is empty, because it was reset since the push.
        """
        stack = self._get()
        if stack:
            if stack[-1] is not default:
                raise AssertionError(f"Nesting violated for default stack of {type(default)} objects")
            self._set(stack[:-1])

    def leave(self, default: Any, place: int) -> None:
        """Like `pop`, for the entry that `push` put at index `place`; also removes the entry when it raises
        AssertionError because the entry was not the innermost one."""
        try:
            self.pop(default)
        except AssertionError:
            for i in reversed(range(min(place + 1, len(self.stack)))):  # entries below may have been removed, too
                if self.stack[i] is default:
                    self._delete(i)
                    break
            raise

    def remove(self, default: Any) -> None:
        """Removes the outermost entry of `default`; does nothing if there is none."""
        for i, entry in enumerate(self.stack):
            if entry is default:
                self._delete(i)
                return

    def _delete(self, place: int) -> None:
        stack = self._get()
        self._set(stack[:place] + stack[place + 1 :])


class Entered(ContextDecorator):
    """A context manager that makes a default the innermost one of a stack: one `as_default()`. It may be entered
    repeatedly, also nested. Raises AssertionError if it is not left in order. If it was entered by hand and is dropped,
    it is left, as in TensorFlow."""

    __slots__ = ("_default", "_stack", "_times")

    def __init__(self, stack: DefaultStack, default: Any) -> None:
        self._stack = stack
        self._default = default
        self._times = 0  # it is entered

    def __enter__(self) -> Any:
        self._stack.push(self._default)
        self._times += 1
        return self._default

    def __exit__(self, *exc: Any) -> None:
        self._times -= 1
        self._stack.pop(self._default)

    def __del__(self) -> None:
        while self._times > 0 and not sys.is_finalizing():
            self.__exit__()
