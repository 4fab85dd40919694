"""Rows of stateful ops of the session: queues, barriers, staging areas and maps, tables of SparseTensors, accumulators.

A row gives the kind of state an op works on and the expected outcome. A state is created in a graph, filled, and
emptied again; so a case fills it, runs the op, and checks the remaining contents.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from op_table import _flat

from tinytf import _core
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.errors.errors import CancelledError, InvalidArgumentError
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes

_FILES = ("state_rows", "variable_rows", "optimizer_rows", "file_rows", "reader_rows", "writer_rows", "iterator_rows")
_MOST = 100  # upper bound for the elements taken from a state


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, (list, tuple)) else np.asarray(value).tolist()


class State:
    """One kind of state, created in the current graph. `attrs` are the attrs of the op that creates it, or its
    names.
    """

    maker: str | None = None
    """The op that makes it, if it has a handle."""
    attrs: dict[str, Any] = {}
    version: int | None = None
    """The GraphDef version that has its ops, if it is an early one."""

    def __init__(self, **changed: Any) -> None:
        self.given = {**self.attrs, **changed}
        self.handles: list[Tensor] = [] if self.maker is None else [self.op(self.maker, **self.given)]
        self.build()

    @staticmethod
    def op(name: str, *inputs: Any, **attrs: Any) -> Any:
        """A node of the op; attrs that are inferred from the inputs are dropped."""
        spec = op_spec(name)
        inferred = {attr for argument in _core.op_def(name)["inputs"] for attr in argument[2:5] if attr}
        return apply_op(spec, None, inputs, {attr: v for attr, v in attrs.items() if attr not in inferred})

    def on_it(self, name: str, *inputs: Any, **attrs: Any) -> Any:
        """A node of an op that works on this state."""
        named = {} if self.handles else self.given
        return self.op(name, *self.handles, *inputs, **{**named, **attrs})

    def placed(self, value: Any) -> Any:
        """An input, attr or result of a row as it is on this state."""
        return value

    def build(self) -> None:
        """Creates the nodes that fill and empty the state."""
        raise NotImplementedError

    def fill(self, run: Callable[..., Any]) -> None:
        raise NotImplementedError

    def take_all(self, run: Callable[..., Any]) -> Any:
        """Removes and returns the whole contents."""
        raise NotImplementedError


PAIRS = np.array([[0, 0], [1, 1], [2, 2]], np.float32)


class _Queue(State):
    attrs = {"component_types": [dtypes.float32], "shapes": [[2]]}
    types = [dtypes.float32]
    batch: list[np.ndarray] = [PAIRS]

    def build(self) -> None:
        early = "" if self.maker and not self.maker.endswith("V2") else "V2"
        self.enqueue = self.on_it(f"QueueEnqueueMany{early}", self.batch)
        self.size = self.on_it(f"QueueSize{early}")
        self.dequeue = self.on_it(f"QueueDequeue{early}", component_types=self.types)

    def fill(self, run: Callable[..., Any]) -> None:
        run(self.enqueue)

    def take_all(self, run: Callable[..., Any]) -> Any:
        return [_plain(run(list(self.dequeue))) for _ in range(min(run(self.size), _MOST))]


class Fifo(_Queue):
    maker = "FIFOQueueV2"


class EarlyFifo(_Queue):
    maker = "FIFOQueue"


class Padding(_Queue):
    maker = "PaddingFIFOQueueV2"


class Shuffling(_Queue):
    maker = "RandomShuffleQueueV2"
    attrs = {**_Queue.attrs, "seed": 1, "seed2": 2}

    def take_all(self, run: Callable[..., Any]) -> Any:
        return sorted(super().take_all(run))


class Priority(_Queue):
    maker = "PriorityQueueV2"
    types = [dtypes.int64, dtypes.float32]
    batch = [np.array([5, 3, 4]), PAIRS]


class EarlyPadding(_Queue):
    maker = "PaddingFIFOQueue"


class EarlyShuffling(Shuffling):
    maker = "RandomShuffleQueue"


class EarlyPriority(Priority):
    maker = "PriorityQueue"


class Barrier(State):
    """A barrier with two components; the elements a and b lack the second one, c is complete."""

    maker = "Barrier"
    attrs = {"component_types": [dtypes.float32, dtypes.int32], "shapes": [[2], []]}

    def build(self) -> None:
        self.inserts = [
            self.on_it("BarrierInsertMany", ["a", "b", "c"], PAIRS, component_index=0),
            self.on_it("BarrierInsertMany", ["c"], np.array([7], np.int32), component_index=1),
        ]
        self.sizes = [self.on_it("BarrierReadySize"), self.on_it("BarrierIncompleteSize")]
        self.take = self.on_it("BarrierTakeMany", 1, component_types=self.attrs["component_types"])
        fill = [np.full([1, 2], 8, np.float32), np.array([8], np.int32)]
        self.completing = [
            [self.on_it("BarrierInsertMany", [key], fill[i], component_index=i) for i in range(2)] for key in "abcd"
        ]

    def fill(self, run: Callable[..., Any]) -> None:
        for insert in self.inserts:
            run(insert)

    def take_all(self, run: Callable[..., Any]) -> Any:
        """Incomplete elements are completed with eights."""
        sizes = _plain(run(self.sizes))
        taken = [self._taken(run) for _ in range(min(sizes[0], _MOST))]
        for first, second in self.completing if sizes[1] else ():
            incomplete = int(run(self.sizes[1]))
            try:
                run(first)
            except InvalidArgumentError:  # it already has the first component
                run(second)
            except CancelledError:  # the key does not exist, and the barrier accepts no new keys
                continue
            if run(self.sizes[1]) > incomplete:  # the insertion created a new element of eights
                run(second)
        taken += [self._taken(run) for _ in range(min(run(self.sizes[0]), _MOST))]
        return [*sizes, *(each for each in taken if each[1:] != [[[8, 8]], [8]])]

    def _taken(self, run: Callable[..., Any]) -> Any:
        _, keys, values = run(list(self.take))
        return _plain([keys, *values])


class Staging(State):
    attrs = {"shared_name": "area", "dtypes": [dtypes.float32]}

    def build(self) -> None:
        self.puts = [self.on_it("Stage", [value]) for value in PAIRS]
        self.get = self.on_it("Unstage")
        self.size = self.on_it("StageSize")

    def fill(self, run: Callable[..., Any]) -> None:
        for put in self.puts:
            run(put)

    def take_all(self, run: Callable[..., Any]) -> Any:
        return [_plain(run(_flat([self.get]))) for _ in range(min(run(self.size), _MOST))]


class StagingMap(State):
    """A map of pairs; key 5 is complete, key 6 lacks its second component."""

    prefix = "Map"
    attrs = {"shared_name": "map", "dtypes": [dtypes.float32, dtypes.int32]}

    def build(self) -> None:
        two = np.int32(2)
        self.put = self.on_it(f"{self.prefix}Stage", np.int64(5), [0, 1], [PAIRS[1], two])
        self.part = self.on_it(f"{self.prefix}Stage", np.int64(6), [0], [PAIRS[2]])
        self.rest = self.on_it(f"{self.prefix}Stage", np.int64(6), [1], [two])
        self.sizes = [self.on_it(f"{self.prefix}{what}") for what in ("Size", "IncompleteSize")]
        self.get = self.on_it(f"{self.prefix}UnstageNoKey", [0, 1])
        self.clear = self.on_it(f"{self.prefix}Clear")

    def fill(self, run: Callable[..., Any]) -> None:
        run(self.put)
        run(self.part)

    def take_all(self, run: Callable[..., Any]) -> Any:
        sizes = _plain(run(self.sizes))
        if sizes[1]:
            run(self.rest)
        taken = [_plain(run(_flat([self.get]))) for _ in range(min(run(self.sizes[0]), _MOST))]
        run(self.clear)
        return [*sizes, *taken]


class OrderedStagingMap(StagingMap):
    prefix = "OrderedMap"


class SparseTable(State):
    """A table of two SparseTensors; handles keep counting from one filling to the next."""

    attrs = {"shared_name": "table"}
    indices, values, shape = np.array([[0, 1], [2, 0]]), np.array([1, 2], np.float32), np.array([3, 2])
    numbers: list[int] = []

    def build(self) -> None:
        self.add = self.on_it("AddSparseToTensorsMap", self.indices, self.values, self.shape)
        self.handles_fed = self.op("Placeholder", dtype=dtypes.int64, shape=None)
        self.take = self.on_it("TakeManySparseFromTensorsMap", self.handles_fed, dtype=dtypes.float32)

    def fill(self, run: Callable[..., Any]) -> None:
        self.numbers = [int(run(self.add)) for _ in range(2)]

    def take_all(self, run: Callable[..., Any]) -> Any:
        """The SparseTensors under all handles since the filling; "not there" for missing ones."""
        end = int(run(self.add))
        taken = []
        for number in range(self.numbers[0] if self.numbers else 0, end):
            try:
                taken.append(_plain(run(list(self.take), {self.handles_fed: [number]})))
            except InvalidArgumentError:
                taken.append("not there")
        run(list(self.take), {self.handles_fed: [end]})
        return taken


class _Accumulator(State):
    attrs = {"dtype": dtypes.float32, "shape": [2]}

    def build(self) -> None:
        kind = "Resource" if self.maker and self.maker.startswith("Resource") else ""
        self.apply = self.on_it(f"{kind}AccumulatorApplyGradient", np.int64(9), PAIRS[2])
        self.count = self.on_it(f"{kind}AccumulatorNumAccumulated")
        self.take = self.on_it(f"{kind}AccumulatorTakeGradient", 1, dtype=dtypes.float32)

    def fill(self, run: Callable[..., Any]) -> None:
        for _ in range(2):
            run(self.apply)

    def take_all(self, run: Callable[..., Any]) -> Any:
        count = int(run(self.count))
        return [count, _plain(run(self.take)) if count else None]


class Accumulator(_Accumulator):
    maker = "ConditionalAccumulator"


class ResourceAccumulator(_Accumulator):
    maker = "ResourceConditionalAccumulator"


class SparseAccumulator(_Accumulator):
    maker = "SparseConditionalAccumulator"
    attrs = {"dtype": dtypes.float32, "shape": [4, 2]}

    def build(self) -> None:
        self.apply = self.on_it(
            "SparseAccumulatorApplyGradient", np.int64(9), [1, 3], PAIRS[1:], [4, 2], has_known_shape=True
        )
        self.count = self.on_it("AccumulatorNumAccumulated")
        self.take = list(self.on_it("SparseAccumulatorTakeGradient", 1, dtype=dtypes.float32))


@dataclass(frozen=True)
class StateRow:
    """One op on a filled state.

    state: the class of the state.
    inputs: arrays after the handle, a list of arrays for a list input; or a function of the state that returns them.
    attrs: of the node, in addition to the names of the state.
    result: the expected outputs of the op, as lists; None: not checked, or no outputs.
    left: the expected contents of the state afterwards.
    needs_memory: whether the op allocates memory each time it runs; False if it can run only once, None if it may do
        without.
    """

    op: str
    state: type[State]
    inputs: Any
    left: Any
    result: Any = None
    attrs: dict[str, Any] = field(default_factory=dict)
    needs_memory: bool | None = True

    @property
    def version(self) -> int | None:
        """The version of the GraphDef, if it is an early one."""
        return self.state.version

    def inputs_on(self, state: State) -> list[Any]:
        inputs = state.placed(self.inputs(state) if callable(self.inputs) else self.inputs)
        return [np.array(value, object) if isinstance(value, bytes) else value for value in inputs]


@dataclass(frozen=True)
class FileRow(StateRow):
    """One op on a folder (`file_states.py`); `$D` in inputs, attrs and results stands for its path.

    missing: the class of the error, and part of its message, if there are no files; None: the row needs no file.
    damaged: the same, if the second half of each file is lost; None: not checked.
    """

    needs_memory: bool | None = None
    missing: tuple[str, str] | None = None
    damaged: tuple[str, str] | None = None


def all_state_rows() -> Iterator[tuple[str, StateRow]]:
    """Yields every row with a unique name."""
    rows = [row for name in _FILES for row in importlib.import_module(name).ROWS]
    for number, row in enumerate(rows):
        yield f"{row.op}.{row.state.__name__}-{number}", row


def ops_with_state() -> set[str]:
    """The ops of the rows, and the ops that create their states."""
    rows = [row for _, row in all_state_rows()]
    return {row.op for row in rows} | {row.state.maker for row in rows if row.state.maker}
