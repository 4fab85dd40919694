"""The operations of a graph, and how they are found."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor

if TYPE_CHECKING:
    from tinytf.framework.graph_functions import GraphFunctions

_PARTS = {"cond": "cond", "body": "body", "then": "then_branch", "else": "else_branch"}  # and the attrs that name them


class GraphNodes:
    """The operations of a graph of the engine, by id, name and place in a plan; and which may be fed or fetched.

    Ids are places in `ops`, counted from 1: `lock` is held from where the engine gives one to where its operation stands
    there. `functions` are those that operations call, by their names in the library.
    """

    __slots__ = ("_core", "_functions", "ops", "lock", "_consumers", "_consumers_seen", "_unfeedable", "_unfetchable")

    def __init__(self, core: Any, functions: GraphFunctions) -> None:
        self._core = core
        self._functions = functions
        self.ops: list[Operation] = []
        self.lock = threading.RLock()
        self._consumers: dict[int, list[Operation]] | None = None
        self._consumers_seen = 0
        # Keys of tensors, and ids of operations; what is neither counts by itself.
        self._unfeedable: set[Any] = set()
        self._unfetchable: set[Any] = set()

    def by_id(self, id: int) -> Operation:
        return self.ops[id - 1]

    def tensor(self, key: int) -> Tensor:
        """The tensor of that key."""
        return self.ops[(key >> 32) - 1]._outputs[key & 0xFFFFFFFF]

    def named(self, name: str) -> Operation | None:
        id = self._core.find(name)
        return self.ops[id - 1] if id else None

    def owner(self, name: str) -> Operation:
        """The operation that a node of a plan belongs to: of that name, or the one of whose function it is, CALL/NAME, or
        CALL/PART/NAME if it has several.
        KeyError if there is none."""
        for end in [len(name), *(slash for slash in range(len(name) - 1, 0, -1) if name[slash] == "/")]:
            op = self.named(name[:end])
            if op is not None and (end == len(name) or op._spec.runs_functions):
                return op
        raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")

    def at(self, name: str) -> Operation | None:
        """The operation that a node of a plan is: of that name here, or of the function that one here calls. None if there
        is no such, or that function was imported and has no operations."""
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

    def told_of(self, name: str) -> Operation | None:
        """The operation whose lines explain a node of a plan: itself, or the call of an imported function that it is of."""
        try:
            return self.at(name) or self.owner(name)
        except KeyError:
            return None

    def consumers(self, key: int) -> list[Operation]:
        """The operations that take the tensor of that key, once for each time, in the order in which they were made."""
        with self.lock:
            if self._consumers is None:
                self._consumers, self._consumers_seen = {}, 0
            for op in self.ops[self._consumers_seen :]:
                for source in self._core.input_keys(op._id):
                    self._consumers.setdefault(source, []).append(op)
            self._consumers_seen = len(self.ops)
            return list(self._consumers.get(key, ()))

    def forget_consumers(self) -> None:
        """An operation takes something else than before."""
        self._consumers = None

    def is_feedable(self, tensor: Any) -> bool:
        return _feed_key(tensor) not in self._unfeedable

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        op = tensor_or_op._op if isinstance(tensor_or_op, Tensor) else tensor_or_op
        return _fetch_key(op) not in self._unfetchable

    def prevent_feeding(self, tensor: Any) -> None:
        self._unfeedable.add(_feed_key(tensor))

    def prevent_fetching(self, op: Any) -> None:
        self._unfetchable.add(_fetch_key(op))


def _feed_key(tensor: Any) -> Any:
    return tensor._key if isinstance(tensor, Tensor) else (tensor,)


def _fetch_key(op: Any) -> Any:
    return op._id if isinstance(op, Operation) else (op,)


def _called(call: Operation, rest: str) -> tuple[str | None, str]:
    """The function of a call that a node is of, and its name there; `rest` is what a plan adds to the name of the call."""
    if call._spec.is_function:
        return call.type, rest
    if call._spec.calls_function:
        return call._raw_attr("f"), rest
    part, _, inner = rest.partition("/")
    if part.isdecimal():
        return call._raw_attr("branches")[int(part)], inner
    return (call._raw_attr(_PARTS[part]) if part in _PARTS else None), inner
