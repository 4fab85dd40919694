"""How operators read and write the variables of the function that they are called from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CellType, FunctionType
from typing import Any


class Undefined:
    """Stands for the value of what has none."""

    def __repr__(self) -> str:
        return "<undefined>"


UNDEFINED = Undefined()


class Place:
    """An attribute or an item, of an object that is looked up each time."""

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
    """A variable of a function, by its cell."""

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
    """What a variable holds; UNDEFINED if it has no value."""
    try:
        return cell.cell_contents
    except ValueError:
        return UNDEFINED


def cells(variables: FunctionType) -> dict[str, CellType]:
    """The variables that a function uses from around it."""
    return dict(zip(variables.__code__.co_freevars, variables.__closure__ or (), strict=True))


class Variables:
    """What a statement may write: local variables, those that `local` uses, and places.

    `needed` are the names of those that are used after it, with those of `after_error` that have a value now; places are
    needed in any case.
    """

    def __init__(
        self, local: FunctionType, needed: Sequence[str], after_error: Sequence[str], places: Sequence[Place]
    ) -> None:
        entries: list[Any] = [_Local(name, cell) for name, cell in cells(local).items()]
        self._entries = {entry.name: entry for entry in (*entries, *places)}
        given = (name for name in after_error if name in self._entries and self._entries[name].read() is not UNDEFINED)
        self.needed = sorted({*needed, *given, *(place.name for place in places)} & set(self._entries))

    def read(self) -> dict[str, Any]:
        """All values by name."""
        return {name: entry.read() for name, entry in self._entries.items()}

    def read_local(self) -> dict[str, Any]:
        """Values of local variables."""
        return {name: entry.read() for name, entry in self._entries.items() if isinstance(entry, _Local)}

    def read_needed(self) -> list[Any]:
        """Values of those that are needed."""
        return [self._entries[name].read() for name in self.needed]

    def write(self, values: Mapping[str, Any]) -> bool:
        """Gives what differs other values; whether something did."""
        entries = [(self._entries[name], value) for name, value in values.items()]
        changed = [(entry, value) for entry, value in entries if entry.read() is not value]
        for entry, value in changed:
            entry.write(value)
        return bool(changed)

    def forget_others(self) -> None:
        """Leaves local variables that are not needed without a value: code that is run all the same, after an error that a
        context manager swallows, then fails instead of reading a value of another time."""
        self.write({name: UNDEFINED for name in self.read_local() if name not in self.needed})

    def write_needed(self, values: Iterable[Any]) -> None:
        """The same for those that are needed."""
        self.write(dict(zip(self.needed, values, strict=True)))


def attribute(name: str, owner: Callable[[], Any], key: str) -> Attribute:
    """The attribute `key` of what `owner()` is, `name` in messages."""
    return Attribute(name, owner, lambda: key)


def returned(value: FunctionType) -> Any:
    """What a function returns that has not come to a `return` in all cases: the variable that `value` uses, or None."""
    (cell,) = cells(value).values()
    found = cell_value(cell)
    return None if found is UNDEFINED else found
