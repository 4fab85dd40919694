"""The methods of `tf.Variable` that change a variable, as far as its kinds share them."""

from __future__ import annotations

from typing import Any

from tinytf.framework.indexed_slices import IndexedSlices
from tinytf.framework.tensor import Tensor
from tinytf.ops.state.scatter_updates import batch_scatter_update


class VariableUpdates:
    """What every kind of variable can do to its value. Updates give back the variable afterwards: its reference or, for
    resource variables, a new read."""

    def assign(self, value: Any, use_locking: Any = False, name: str | None = None, read_value: bool = True) -> Any:
        """Assigns; the result is the variable afterwards (the operation if `read_value` is False)."""
        raise NotImplementedError

    def assign_add(self, delta: Any, use_locking: Any = False, name: str | None = None, read_value: bool = True) -> Any:
        """Adds in place."""
        raise NotImplementedError

    def assign_sub(self, delta: Any, use_locking: Any = False, name: str | None = None, read_value: bool = True) -> Any:
        """Subtracts in place."""
        raise NotImplementedError

    def read_value(self) -> Tensor:
        """A new read, which control dependencies can order."""
        raise NotImplementedError

    def count_up_to(self, limit: int) -> Any:
        """Increments an integer scalar variable; see tf.count_up_to."""
        raise NotImplementedError

    # -- Slices: rows given by indices, combined with rows of values -------------------------------------------------

    def scatter_add(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Adds the slices. TypeError for other than IndexedSlices, here and below."""
        return self._scatter("add", _checked(sparse_delta), use_locking, name)

    def scatter_sub(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Subtracts the slices."""
        return self._scatter("sub", _checked(sparse_delta), use_locking, name)

    def scatter_max(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Keeps the larger of old and new elements."""
        return self._scatter("max", _checked(sparse_delta), use_locking, name)

    def scatter_min(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Keeps the smaller of old and new elements."""
        return self._scatter("min", _checked(sparse_delta), use_locking, name)

    def scatter_mul(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Multiplies by the slices."""
        return self._scatter("mul", _checked(sparse_delta), use_locking, name)

    def scatter_div(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Divides by the slices."""
        return self._scatter("div", _checked(sparse_delta), use_locking, name)

    def scatter_update(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces the slices."""
        return self._scatter("update", _checked(sparse_delta), use_locking, name)

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replaces the slices, batch by batch: see tf.batch_scatter_update."""
        delta = _checked(sparse_delta)
        return batch_scatter_update(self, delta.indices, delta.values, use_locking=use_locking, name=name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Adds `updates` to the slices at `indices` (shape [..., depth])."""
        return self._scatter_nd("add", indices, updates, name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtracts `updates` from the slices at `indices` (shape [..., depth])."""
        return self._scatter_nd("sub", indices, updates, name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Replaces the slices at `indices` (shape [..., depth])."""
        return self._scatter_nd("update", indices, updates, name)

    def _scatter(self, kind: str, slices: IndexedSlices, use_locking: bool, name: str | None) -> Any:
        raise NotImplementedError

    def _scatter_nd(self, kind: str, indices: Any, updates: Any, name: str | None) -> Any:
        raise NotImplementedError


def _checked(slices: Any) -> IndexedSlices:
    if not isinstance(slices, IndexedSlices):
        raise TypeError(f"sparse_delta is not IndexedSlices: {slices}")
    return slices
