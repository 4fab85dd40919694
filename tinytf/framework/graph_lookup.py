"""How operations and tensors of a graph are found."""

from __future__ import annotations

import threading
from typing import Any

from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor


class GraphLookup:
    """The part of a graph that holds its operations."""

    _core: Any
    _functions: dict[str, Any]

    def __init__(self) -> None:
        super().__init__()
        self._ops: list[Operation] = []
        self._consumers: dict[int, list[Operation]] | None = None
        self._consumers_seen = 0
        # Keys of tensors, and ids of operations; what is neither counts by itself.
        self._unfeedable: set[Any] = set()
        self._unfetchable: set[Any] = set()
        self._lock = threading.RLock()

    def get_operations(self) -> list[Operation]:
        """All operations in creation order."""
        return list(self._ops)

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of that name. TypeError for other than str, KeyError if there is none."""
        if not isinstance(name, (str, bytes)):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor "op:index". TypeError for other than str, KeyError if there is none."""
        if not isinstance(name, (str, bytes)):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The Tensor or Operation of this graph that `obj` is, stands for, or names.

        TypeError if it is nothing of that kind, KeyError for an unknown name, ValueError for a malformed name or for an
        element of another graph.
        """
        from tinytf.framework.graph_element import as_graph_element

        return as_graph_element(self, obj, allow_tensor, allow_operation)

    def _op_by_id(self, id: int) -> Operation:
        return self._ops[id - 1]

    def _tensor_of_key(self, key: int) -> Tensor:
        return self._ops[(key >> 32) - 1]._outputs[key & 0xFFFFFFFF]

    def _find_op(self, name: str) -> Operation | None:
        id = self._core.find(name)
        return self._ops[id - 1] if id else None

    def _own_operation(self, name: str) -> Operation:
        """The operation that a node of a plan belongs to: of that name, or the call of whose function it is, CALL/NAME.
        KeyError if there is none."""
        for end in [len(name), *(slash for slash in range(len(name) - 1, 0, -1) if name[slash] == "/")]:
            op = self._find_op(name[:end])
            if op is not None and (end == len(name) or op._spec.calls_function):
                return op
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")

    def _operation_at(self, name: str) -> Operation | None:
        """The operation that a node of a plan is: of that name here, or of the function that one here calls. None if there
        is no such, or that function was imported and has no operations."""
        op = self._find_op(name)
        if op is not None:
            return op
        try:
            call = self._own_operation(name)
        except KeyError:
            return None
        function = self._functions.get(call._raw_attr("f"))
        return None if function is None else function.graph._operation_at(name[len(call.name) + 1 :])

    def _operation_told_of(self, name: str) -> Operation | None:
        """The operation whose lines explain a node of a plan: itself, or the call of an imported function that it is of."""
        try:
            return self._operation_at(name) or self._own_operation(name)
        except KeyError:
            return None

    def _consumers_of(self, key: int) -> list[Operation]:
        with self._lock:
            if self._consumers is None:
                self._consumers, self._consumers_seen = {}, 0
            for op in self._ops[self._consumers_seen :]:
                for source in self._core.input_keys(op._id):
                    self._consumers.setdefault(source, []).append(op)
            self._consumers_seen = len(self._ops)
            return list(self._consumers.get(key, ()))

    def _own(self, tensor: Tensor) -> Tensor:
        """The tensor, or what stands here for one of another graph: only in graphs of functions, ValueError in others."""
        if tensor._op._graph is self:
            return tensor
        raise ValueError(f"{tensor} must be from the same graph as {self._ops[0] if self._ops else self!r}.")

    def is_feedable(self, tensor: Any) -> bool:
        """Whether a run may replace the tensor's value; True for anything that nobody prevented."""
        return _feed_key(tensor) not in self._unfeedable

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether a run may ask for the tensor or operation; True for anything that nobody prevented."""
        return (
            _fetch_key(tensor_or_op._op if isinstance(tensor_or_op, Tensor) else tensor_or_op) not in self._unfetchable
        )

    def prevent_feeding(self, tensor: Any) -> None:
        """Makes `is_feedable(tensor)` False."""
        self._unfeedable.add(_feed_key(tensor))

    def prevent_fetching(self, op: Any) -> None:
        """Makes `is_fetchable` False for the operation and its outputs."""
        self._unfetchable.add(_fetch_key(op))


def _feed_key(tensor: Any) -> Any:
    return tensor._key if isinstance(tensor, Tensor) else (tensor,)


def _fetch_key(op: Any) -> Any:
    return op._id if isinstance(op, Operation) else (op,)
