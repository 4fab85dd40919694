"""Update methods that are common to all kinds of `tf.Variable`."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.ops.state.scatter_updates import batch_scatter_update


class VariableUpdates:
    """Update methods of all kinds of variables. They return the variable after the update: its reference, or a new read
    of a resource variable."""

    def assign(self, value: Any, use_locking: Any = False, name: str | None = None, read_value: bool = True) -> Any:
        """Assigns a new value.

        Args:
          value: Tensor, or value that can be converted to one.
          use_locking: bool, whether the update locks a reference variable.
          name: str, name of the operation.
          read_value: bool, whether to return the variable after the update instead of the operation.
        """
        raise NotImplementedError

    def assign_add(self, delta: Any, use_locking: Any = False, name: str | None = None, read_value: bool = True) -> Any:
        """Adds `delta` to the variable; the other arguments and the result are as for `assign`."""
        raise NotImplementedError

    def assign_sub(self, delta: Any, use_locking: Any = False, name: str | None = None, read_value: bool = True) -> Any:
        """Subtracts `delta` from the variable; the other arguments and the result are as for `assign`."""
        raise NotImplementedError

    def read_value(self) -> Tensor:
        """A Tensor with a new read of the value, which control dependencies can order."""
        raise NotImplementedError

    def count_up_to(self, limit: int) -> Any:
        """Increments an integer scalar variable up to `limit`; see `tf.count_up_to`."""
        raise NotImplementedError

    # -- Slices: rows given by indices, combined with rows of values -------------------------------------------------

    def scatter_add(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Adds the slices `sparse_delta` to the variable. This and the following methods raise TypeError unless it is
        IndexedSlices."""
        return self._scatter("add", _checked(sparse_delta), use_locking, name)

    def scatter_sub(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Subtracts the slices `sparse_delta` from the variable."""
        return self._scatter("sub", _checked(sparse_delta), use_locking, name)

    def scatter_max(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces elements by the maximum of themselves and the slices `sparse_delta`."""
        return self._scatter("max", _checked(sparse_delta), use_locking, name)

    def scatter_min(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces elements by the minimum of themselves and the slices `sparse_delta`."""
        return self._scatter("min", _checked(sparse_delta), use_locking, name)

    def scatter_mul(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Multiplies the variable by the slices `sparse_delta`."""
        return self._scatter("mul", _checked(sparse_delta), use_locking, name)

    def scatter_div(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Divides the variable by the slices `sparse_delta`."""
        return self._scatter("div", _checked(sparse_delta), use_locking, name)

    def scatter_update(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Any:
        """Replaces slices of the variable by `sparse_delta`."""
        return self._scatter("update", _checked(sparse_delta), use_locking, name)

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replaces slices in each batch; see `tf.batch_scatter_update`."""
        delta = _checked(sparse_delta)
        return batch_scatter_update(self, delta.indices, delta.values, use_locking=use_locking, name=name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Adds `updates` to the slices at `indices`, of shape [..., depth]."""
        return self._scatter_nd("add", indices, updates, name)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtracts `updates` from the slices at `indices`, of shape [..., depth]."""
        return self._scatter_nd("sub", indices, updates, name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Replaces the slices at `indices`, of shape [..., depth], by `updates`."""
        return self._scatter_nd("update", indices, updates, name)

    def _scatter(self, kind: str, slices: IndexedSlices, use_locking: bool, name: str | None) -> Any:
        raise NotImplementedError

    def _scatter_nd(self, kind: str, indices: Any, updates: Any, name: str | None) -> Any:
        raise NotImplementedError


def _checked(slices: Any) -> IndexedSlices:
    if not isinstance(slices, IndexedSlices):
        raise TypeError(f"sparse_delta is not IndexedSlices: {slices}")
    return slices
