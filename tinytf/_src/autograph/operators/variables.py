"""Access of operators to the variables of the function that calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CellType, FunctionType
from typing import Any


class Undefined:
    """Stands for the value of a variable that has none."""

    def __repr__(self) -> str:
        return "<undefined>"


UNDEFINED = Undefined()


class Place:
    """An attribute or item that operators read and write; owner and key are evaluated at each access."""

    def __init__(self, name: str, owner: Callable[[], Any], key: Callable[[], Any]) -> None:
        self.name = name
        self._owner = owner
        self._key = key

    def read(self) -> Any:
        try:
            return self._get(self._owner(), self._key())
        except (AttributeError, LookupError):
            return UNDEFINED

    def write(self, value: Any) -> None:
        if value is not UNDEFINED:
            self._set(self._owner(), self._key(), value)
        elif self.read() is not UNDEFINED:
            self._delete(self._owner(), self._key())

    def _get(self, owner: Any, key: Any) -> Any:
        raise NotImplementedError

    def _set(self, owner: Any, key: Any, value: Any) -> None:
        raise NotImplementedError

    def _delete(self, owner: Any, key: Any) -> None:
        raise NotImplementedError


class Attribute(Place):
    """An attribute."""

    def _get(self, owner: Any, key: Any) -> Any:
        return getattr(owner, key)

    def _set(self, owner: Any, key: Any, value: Any) -> None:
        setattr(owner, key, value)

    def _delete(self, owner: Any, key: Any) -> None:
        delattr(owner, key)


class Item(Place):
    """An item of a list, a dict or the like."""

    def _get(self, owner: Any, key: Any) -> Any:
        return owner[key]

    def _set(self, owner: Any, key: Any, value: Any) -> None:
        owner[key] = value

    def _delete(self, owner: Any, key: Any) -> None:
        del owner[key]


class _Local:
    """A local variable, accessed by its closure cell."""

    def __init__(self, name: str, cell: CellType) -> None:
        self.name = name
        self._cell = cell

    def read(self) -> Any:
        return cell_value(self._cell)

    def write(self, value: Any) -> None:
        if value is not UNDEFINED:
            self._cell.cell_contents = value
        elif cell_value(self._cell) is not UNDEFINED:
            del self._cell.cell_contents


def cell_value(cell: CellType) -> Any:
    """Returns the value in a cell, or UNDEFINED if it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return UNDEFINED


def cells(variables: FunctionType) -> dict[str, CellType]:
    """Returns the closure cells of a function by variable name."""
    return dict(zip(variables.__code__.co_freevars, variables.__closure__ or (), strict=True))


class Variables:
    """The variables that a statement may write.

    Args:
      local: a function that captures the local variables.
      needed: names of the variables that are live after the statement.
      after_error: names that are live along exception edges; needed only if they have a value now.
      places: attributes and items, which are always needed.
    """

    def __init__(
        self, local: FunctionType, needed: Sequence[str], after_error: Sequence[str], places: Sequence[Place]
    ) -> None:
        entries: list[Any] = [_Local(name, cell) for name, cell in cells(local).items()]
        self._entries = {entry.name: entry for entry in (*entries, *places)}
        given = (name for name in after_error if name in self._entries and self._entries[name].read() is not UNDEFINED)
        self.needed = sorted({*needed, *given, *(place.name for place in places)} & set(self._entries))

    def read(self) -> dict[str, Any]:
        """Returns all values by name."""
        return {name: entry.read() for name, entry in self._entries.items()}

    def read_local(self) -> dict[str, Any]:
        """Returns the values of local variables by name."""
        return {name: entry.read() for name, entry in self._entries.items() if isinstance(entry, _Local)}

    def read_needed(self) -> list[Any]:
        """Returns the values of the needed variables, in the order of `needed`."""
        return [self._entries[name].read() for name in self.needed]

    def write(self, values: Mapping[str, Any]) -> bool:
        """Assigns the values that differ from the present ones; returns whether there were any."""
        entries = [(self._entries[name], value) for name, value in values.items()]
        changed = [(entry, value) for entry, value in entries if entry.read() is not value]
        for entry, value in changed:
            entry.write(value)
        return bool(changed)

    def forget_others(self) -> None:
        """Unbinds local variables that are not needed.

        Code that still reads them, because a context manager suppressed an exception, then fails instead of using a
        stale value.
        """
        self.write({name: UNDEFINED for name in self.read_local() if name not in self.needed})

    def write_needed(self, values: Iterable[Any]) -> None:
        """Assigns values to the needed variables, in the order of `needed`."""
        self.write(dict(zip(self.needed, values, strict=True)))


def attribute(name: str, owner: Callable[[], Any], key: str) -> Attribute:
    """Returns the place of the attribute `key` of `owner()`; `name` is used in messages."""
    return Attribute(name, owner, lambda: key)


def returned(value: FunctionType) -> Any:
    """Returns the value of the one variable that `value` captures, or None if the function ended without `return`."""
    (cell,) = cells(value).values()
    found = cell_value(cell)
    return None if found is UNDEFINED else found
