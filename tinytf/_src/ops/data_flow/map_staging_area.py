"""Staging areas whose tuples have keys."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, name_scope
from tinytf._src.ops.data_flow.staging_area import BaseStagingArea, values_of


class MapStagingArea(BaseStagingArea):
    """A staging area in which tuples have int64 keys.

    Components may be put separately; a tuple becomes available when it is complete. Components may also be taken
    separately; a tuple is removed with its last component. Waiting operations do not occupy a thread. Incomplete tuples
    count towards `memory_limit` but not towards `capacity`.

    Args:
      ordered: bool, whether `get` without a key returns the tuple with the smallest key; otherwise it returns any.
      dtypes, shapes, names, shared_name, capacity, memory_limit: as in `BaseStagingArea`.

    Raises:
      ValueError: as in `BaseStagingArea`.
    """

    def __init__(
        self,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        ordered: bool = False,
        capacity: int = 0,
        memory_limit: int = 0,
    ) -> None:
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._ordered = ordered

    def _op(self, name: str) -> Any:
        return getattr(gen_ops, f"ordered_map_{name}" if self._ordered else f"map_{name}")

    def put(self, key: Any, vals: Any, indices: Any = None, name: str | None = None) -> Operation:
        """Puts a tuple or some of its components, waiting for capacity; has no effect if the key has a complete tuple.

        Running the operation raises InvalidArgumentError if the tuple already has a component, and
        ResourceExhaustedError if a value exceeds the memory limit.

        Args:
          key: int64 scalar.
          vals: list or tuple of tensors, or a dict if the area has names.
          indices: list of the indices of the given components in ascending order; required unless `vals` is a dict.
          name: optional name of the operation.

        Returns:
          An operation.

        Raises:
          ValueError: if the values do not match the area.
        """
        with name_scope(name, f"{self._name}_put", values_of(vals)) as scope:
            vals, indices = self._check_put_dtypes(vals, indices)
            with colocate_with(self._coloc_op):
                return self._op("stage")(key, indices, vals, dtypes=self._dtypes, name=scope, **self._options())

    def peek(self, key: Any, indices: Any = None, name: str | None = None) -> Any:
        """Returns the tuple of a key without removing it, waiting until it is available.

        Running the result raises InvalidArgumentError if a component has been taken.

        Args:
          key: int64 scalar.
          indices: optional list of component indices or names; None means all.
          name: optional name of the operation.

        Returns:
          A list of tensors, or a dict if the area has names.

        Raises:
          TypeError, ValueError: if `indices` is invalid.
        """
        name = f"{self._name}_pop" if name is None else name
        indices, dtypes = self._chosen(indices)
        with colocate_with(self._coloc_op):
            found = self._op("peek")(key, indices=indices, dtypes=dtypes, name=name, **self._options())
        return self._get_return_value(found, indices)

    def get(self, key: Any = None, indices: Any = None, name: str | None = None) -> tuple[Any, Any]:
        """Removes the tuple of `key`, or any tuple if it is None, and returns the key and the tuple; otherwise like
        `peek`.
        """
        wanted, dtypes = self._chosen(indices)
        options = {"indices": wanted, "dtypes": dtypes, **self._options()}
        if key is not None:
            name = f"{self._name}_get" if name is None else name
            with colocate_with(self._coloc_op):
                found = self._op("unstage")(key, name=name, **options)
            return key, self._get_return_value(found, wanted)
        name = f"{self._name}_get_nokey" if name is None else name
        with colocate_with(self._coloc_op):
            key, found = self._op("unstage_no_key")(name=name, **options)
        key = self._create_device_transfers(key)[0]
        return key, self._get_return_value(found, wanted)

    def _chosen(self, indices: Any) -> tuple[list[int], list[Any]]:
        """Returns the indices and dtypes of the requested components."""
        if indices is None:
            indices = list(range(len(self._dtypes)))
        if not isinstance(indices, (tuple, list)):
            raise TypeError(f"Invalid indices type '{type(indices)}'")
        if not indices:
            raise ValueError("Empty indices")
        if all(isinstance(i, str) for i in indices):
            if self._names is None:
                raise ValueError(
                    f"String indices provided '{indices}', but this Staging Area was not created with names."
                )
            for name in indices:
                if name not in self._names:
                    raise ValueError(f"Named index '{name}' not in Staging Area names '{self._names}'")
            indices = [list(self._names).index(name) for name in indices]
        elif not all(isinstance(i, int) for i in indices):
            raise TypeError(f"Mixed types in indices '{indices}'. May only be str or int")
        return indices, [self._dtypes[i] for i in indices]

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of complete tuples, including partly taken ones, as an int32 scalar."""
        return self._told("size", name)

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """Returns the number of incomplete tuples as an int32 scalar."""
        return self._told("incomplete_size", name)

    def clear(self, name: str | None = None) -> Operation:
        """Returns an operation that removes all tuples."""
        return self._told("clear", name)

    def _told(self, what: str, name: str | None) -> Any:
        name = f"{self._name}_{what}" if name is None else name
        return self._op(what)(name=name, dtypes=self._dtypes, **self._options())
