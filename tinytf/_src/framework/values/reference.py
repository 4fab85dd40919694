"""`Reference`: a hashable reference to a tensor or variable, for use as a dictionary key."""

from __future__ import annotations

from typing import Any


class Reference:
    """A reference to an object: hashable, and equal only to references to the same object.

    Comparison with any other value raises TypeError.
    """

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        """The referenced object."""
        return self._wrapped

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Reference):
            raise TypeError("Cannot compare wrapped object with unwrapped object")
        return self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"
