"""A graph's operations and their lookup."""

from __future__ import annotations

import threading
from typing import Any, Generic, TypeVar

from tinytf._src.framework.graph.bases import BaseOperation, BaseTensor
from tinytf._src.framework.graph.functions import GraphFunctions

# Name of a part in a plan → attr with its function.
_PARTS = {"cond": "cond", "body": "body", "then": "then_branch", "else": "else_branch"}


_Operation = TypeVar("_Operation", bound=BaseOperation)
_Tensor = TypeVar("_Tensor", bound=BaseTensor)


class GraphNodes(Generic[_Operation, _Tensor]):
    """The operations of a graph in the engine, by id, name, or name in a plan, and which of them may be fed or fetched.

    An id is an index into `ops`, counted from 1: `lock` is held from the assignment of an id by the engine until the
    operation is in the list. `functions` are the functions that operations call.
    """

    __slots__ = ("_core", "_functions", "ops", "lock", "_consumers", "_consumers_seen", "_unfeedable", "_unfetchable")

    def __init__(self, core: Any, functions: GraphFunctions) -> None:
        self._core = core
        self._functions = functions
        self.ops: list[_Operation] = []
        self.lock = threading.RLock()
        self._consumers: dict[int, list[_Operation]] | None = None
        self._consumers_seen = 0
        # Keys of tensors and ids of operations; other objects are stored themselves, in a tuple.
        self._unfeedable: set[Any] = set()
        self._unfetchable: set[Any] = set()

    def by_id(self, id: int) -> _Operation:
        return self.ops[id - 1]

    def tensor(self, key: int) -> _Tensor:
        """The tensor with this key."""
        return self.ops[(key >> 32) - 1]._outputs[key & 0xFFFFFFFF]

    def named(self, name: str) -> _Operation | None:
        id = self._core.find(name)
        return self.ops[id - 1] if id else None

    def owner(self, name: str) -> _Operation:
        """The operation to which a plan's node belongs: the one with its name, or the one that calls its function.
        Nodes of functions are named CALL/NAME, or CALL/PART/NAME if the call has several functions. Raises KeyError if
        there is none."""
        for end in [len(name), *(slash for slash in range(len(name) - 1, 0, -1) if name[slash] == "/")]:
            op = self.named(name[:end])
            if op is not None and (end == len(name) or op._spec.runs_functions):
                return op
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")

    def at(self, name: str) -> _Operation | None:
        """The operation for a plan's node: in this graph, or in the graph of a function that an operation here calls.
        None if there is none, or if the function was imported and has no operations."""
        op = self.named(name)
        if op is not None:
            return op
        try:
            call = self.owner(name)
        except KeyError:
            return None
        function, inner = _called(call, name[len(call.name) + 1 :])
        known = self._functions.find(function) if function else None
        return None if known is None else known.graph._nodes.at(inner)

    def told_of(self, name: str) -> _Operation | None:
        """The operation whose creation line explains a plan's node: the operation itself, or the call of the imported
        function."""
        try:
            return self.at(name) or self.owner(name)
        except KeyError:
            return None

    def consumers(self, key: int) -> list[_Operation]:
        """The operations that consume the tensor with this key, once per input, in order of creation."""
        with self.lock:
            if self._consumers is None:
                self._consumers, self._consumers_seen = {}, 0
            for op in self.ops[self._consumers_seen :]:
                for source in self._core.input_keys(op._id):
                    self._consumers.setdefault(source, []).append(op)
            self._consumers_seen = len(self.ops)
            return list(self._consumers.get(key, ()))

    def forget_consumers(self) -> None:
        """Invalidates the consumer lists, because an input of an operation changed."""
        self._consumers = None

    def is_feedable(self, tensor: Any) -> bool:
        return _feed_key(tensor) not in self._unfeedable

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        op = tensor_or_op._op if isinstance(tensor_or_op, BaseTensor) else tensor_or_op
        return _fetch_key(op) not in self._unfetchable

    def prevent_feeding(self, tensor: Any) -> None:
        self._unfeedable.add(_feed_key(tensor))

    def prevent_fetching(self, op: Any) -> None:
        self._unfetchable.add(_fetch_key(op))


def _feed_key(tensor: Any) -> Any:
    return tensor._key if isinstance(tensor, BaseTensor) else (tensor,)


def _fetch_key(op: Any) -> Any:
    return op._id if isinstance(op, BaseOperation) else (op,)


def _called(call: BaseOperation, rest: str) -> tuple[str | None, str]:
    """The function called by `call` that contains a node, and the node's name in it; `rest` is the plan's name of the
    node without the call's."""
    if call._spec.is_function:
        return call.type, rest
    if call._spec.calls_function:
        return call._raw_attr("f"), rest
    part, _, inner = rest.partition("/")
    if part.isdecimal():
        return call._raw_attr("branches")[int(part)], inner
    return (call._raw_attr(_PARTS[part]) if part in _PARTS else None), inner
