"""`EagerVariableStore`: shares variables of `get_variable` in eager mode."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from tinytf._src.variables.eager_variable import EagerVariable
from tinytf._src.variables.scope import variable_store
from tinytf._src.variables.store import VariableStore


class EagerVariableStore:
    """Makes `get_variable` calls in eager mode return the same variable for the same name.

    The variables live as long as the store. Use it as `with store.as_default(): …`.

    Args:
      store: VariableStore that keeps eager variables; None creates a new one.

    Raises:
      ValueError: if `store` does not keep eager variables.
    """

    def __init__(self, store: VariableStore | None = None) -> None:
        if store is not None and not store.keeps_eager_variables:
            raise ValueError(
                "Cannot construct EagerVariableStore from a VariableStore object that does not hold eager variables."
            )
        self._store = VariableStore(keeps_eager_variables=True) if store is None else store

    def as_default(self) -> AbstractContextManager[None]:
        """Context manager in which `get_variable` uses this store."""
        return variable_store(self._store)

    def variables(self) -> list[Any]:
        """All variables, sorted by name."""
        return sorted(self._store.variables.values(), key=lambda v: v.name)

    def trainable_variables(self) -> list[Any]:
        """The trainable variables, sorted by name."""
        return [v for v in self.variables() if v.trainable]

    def non_trainable_variables(self) -> list[Any]:
        """The variables that are not trainable, sorted by name."""
        return [v for v in self.variables() if not v.trainable]

    def copy(self) -> EagerVariableStore:
        """A store with new variables of the same names and values."""
        twin = EagerVariableStore()
        for name, v in self._store.variables.items():
            twin._store.variables[name] = EagerVariable(v.read_value(), name=v._shared_name, trainable=v.trainable)
        return twin
