"""`Reference`: a tensor or variable as a key of dictionaries."""

from __future__ import annotations

from typing import Any


class Reference:
    """Stands for an object by identity: hashable, and equal to the references of the same object alone.

    TypeError if it is compared with anything else.
    """

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        """The object."""
        return self._wrapped

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Reference):
            raise TypeError("Cannot compare wrapped object with unwrapped object")
        return self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"
