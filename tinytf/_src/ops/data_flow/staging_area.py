"""Staging areas: buffers of tensor tuples between parts of a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.tensor_shape import TensorShape, unknown_shape


class BaseStagingArea:
    """Base class of staging areas, whose tuples are owned by the session under a name.

    Args:
      dtypes: list of dtypes, one per component.
      shapes: optional list of shapes, one per component; None allows any shapes.
      names: optional list of strings, one per component; tuples then are dicts.
      shared_name: optional name; areas with one shared name are one in a session. None means a unique name.
      capacity: int, maximum number of tuples; 0 means unbounded.
      memory_limit: int, maximum number of bytes; 0 means unbounded.

    Raises:
      ValueError: if the lists have different lengths, or if `shared_name` is not a string.
    """

    def __init__(
        self,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        capacity: int = 0,
        memory_limit: int = 0,
    ) -> None:
        if shared_name is None:
            self._name = get_default_graph().unique_name(type(self).__name__)
        elif isinstance(shared_name, str):
            self._name = shared_name
        else:
            raise ValueError("shared_name must be a string")
        for what, parts in [("shapes", shapes), ("names", names)]:
            if parts is not None and len(parts) != len(dtypes):
                raise ValueError(f"StagingArea {what} must be the same length as dtypes")
        self._dtypes = dtypes
        self._shapes = [unknown_shape() for _ in dtypes] if shapes is None else [TensorShape(s) for s in shapes]
        self._names = names
        self._capacity = capacity
        self._memory_limit = memory_limit
        # All puts and gets are colocated with this operation.
        with name_scope(f"{self._name}_root"):
            self._coloc_op = gen_ops.no_op()

    @property
    def name(self) -> str:
        """The name of the area."""
        return self._name

    @property
    def dtypes(self) -> Any:
        """The dtypes of the components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """The shapes of the components."""
        return self._shapes

    @property
    def names(self) -> Any:
        """The names of the components, or None."""
        return self._names

    @property
    def capacity(self) -> int:
        """The maximum number of tuples."""
        return self._capacity

    @property
    def memory_limit(self) -> int:
        """The maximum number of bytes."""
        return self._memory_limit

    def _options(self) -> dict[str, Any]:
        """Returns the attributes that all nodes of the area share."""
        return {"shared_name": self._name, "capacity": self._capacity, "memory_limit": self._memory_limit}

    def _check_put_dtypes(self, vals: Any, indices: Any = None) -> tuple[list[Tensor], Any]:
        """Returns the components as tensors, and their indices. Raises ValueError if they do not match the area."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Staging areas must have names to enqueue a dictionary")
            if not set(vals) <= set(self._names):
                raise ValueError(
                    "Keys in dictionary to put do not match names of staging area. "
                    f"Dictionary: ({sorted(vals)}), Queue: ({sorted(self._names)})"
                )
            indices = tuple(i for i, name in enumerate(self._names) if name in vals)
            vals = tuple(vals[self._names[i]] for i in indices)
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a staging area with names")
            if indices is None:
                raise ValueError("Indices must be supplied when inserting a list of tensors")
            if len(indices) != len(vals):
                raise ValueError("Number of indices '%s' doesn't match number of values '%s'")
            if not isinstance(vals, (list, tuple)):
                vals, indices = [vals], [0]
        if len(vals) > len(self._dtypes):
            raise ValueError(f"Unexpected number of inputs '{len(vals)}' vs '{len(self._dtypes)}'")
        tensors = []
        for val, i in zip(vals, indices):
            if val.dtype != self._dtypes[i]:
                raise ValueError(f"Datatypes do not match. '{val.dtype}' != '{self._dtypes[i]}'")
            val.get_shape().assert_is_compatible_with(self._shapes[i])
            tensors.append(convert_to_tensor(val, dtype=self._dtypes[i], name=f"component_{i}"))
        return tensors, indices

    def _create_device_transfers(self, tensors: Any) -> list[Tensor]:
        """Returns the tensors on the device on which nodes are currently created."""
        tensors = list(tensors) if isinstance(tensors, (tuple, list)) else [tensors]
        if gen_ops.no_op().device == self._coloc_op.device:
            return tensors
        return [gen_ops.identity(tensor) for tensor in tensors]

    def _get_return_value(self, tensors: Any, indices: Sequence[int]) -> Any:
        """Returns the components as a list, or as a dict if the area has names."""
        tensors = self._create_device_transfers(tensors)
        for tensor, i in zip(tensors, indices):
            tensor.set_shape(self._shapes[i])
        return {self._names[i]: tensor for tensor, i in zip(tensors, indices)} if self._names else tensors


def values_of(vals: Any) -> list[Any]:
    """Returns the values of a dict, list or tuple as a list, or a single value in a list."""
    if isinstance(vals, dict):
        return list(vals.values())
    return list(vals) if isinstance(vals, (list, tuple)) else [vals]


class StagingArea(BaseStagingArea):
    """A staging area that yields tuples in the order of their puts. Waiting operations do not occupy a thread."""

    def put(self, values: Any, name: str | None = None) -> Operation:
        """Puts a tuple, waiting for capacity.

        Running the operation raises ResourceExhaustedError if the tuple exceeds the memory limit.

        Args:
          values: tensor, list or tuple of tensors, or a dict if the area has names.
          name: optional name of the operation.

        Returns:
          An operation.

        Raises:
          ValueError: if the values do not match the area.
        """
        with name_scope(name, f"{self._name}_put", values_of(values)) as scope:
            if not isinstance(values, (list, tuple, dict)):
                values = [values]
            vals, _ = self._check_put_dtypes(values, list(range(len(values))))
            with colocate_with(self._coloc_op):
                return gen_ops.stage(values=vals, name=scope, **self._options())

    def get(self, name: str | None = None) -> Any:
        """Removes and returns the next tuple, waiting for one: a list of tensors, or a dict if the area has names."""
        return self._got(gen_ops.unstage, f"{self._name}_get" if name is None else name)

    def peek(self, index: Any, name: str | None = None) -> Any:
        """Returns the tuple at `index`, an int32 scalar, without removing it, waiting until it is available."""
        return self._got(gen_ops.stage_peek, f"{self._name}_peek" if name is None else name, index)

    def _got(self, op: Callable[..., Any], name: str, *inputs: Any) -> Any:
        with colocate_with(self._coloc_op):
            components = op(*inputs, dtypes=self._dtypes, name=name, **self._options())
        return self._get_return_value(components, range(len(self._dtypes)))

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of tuples as an int32 scalar."""
        name = f"{self._name}_size" if name is None else name
        return gen_ops.stage_size(name=name, dtypes=self._dtypes, **self._options())

    def clear(self, name: str | None = None) -> Operation:
        """Returns an operation that removes all tuples."""
        name = f"{self._name}_clear" if name is None else name
        return gen_ops.stage_clear(name=name, dtypes=self._dtypes, **self._options())
