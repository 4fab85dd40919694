"""Rows of ops on states of input pipelines: iterators for several devices, statistics, and files of records."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from typing import Any

import numpy as np
from file_states import Folder
from state_table import FileRow, State, StateRow, _plain
from writer_rows import Writer

from tinytf._src import protos
from tinytf._src.framework.errors.errors import InvalidArgumentError, OutOfRangeError
from tinytf._src.framework.values import dtypes

_NUMBERS = {"output_types": [dtypes.int64], "output_shapes": [[]]}


def _range(state: State, stop: int) -> Any:
    return state.op("RangeDataset", np.int64(0), np.int64(stop), np.int64(1), **_NUMBERS)


class DealtOut(State):
    """The numbers from 0 to 4 for two devices; the contents are what each of them still gets."""

    maker = "MultiDeviceIterator"
    attrs = {"devices": ["/cpu:0"] * 2, "shared_name": "dealt", "container": "", **_NUMBERS}
    starts = 0

    def build(self) -> None:
        self.start = self.on_it("MultiDeviceIteratorInit", np.int64(2))
        self.number = self.op("Placeholder", dtype=dtypes.int64, shape=None)
        self.get = [
            self.on_it("MultiDeviceIteratorGetNextFromShard", np.int32(shard), self.number, **_NUMBERS)
            for shard in range(2)
        ]

    def on_it(self, name: str, *inputs: Any, **attrs: Any) -> Any:
        if name == "MultiDeviceIteratorInit":
            return self.op(name, _range(self, 5), *self.handles, *inputs)
        return self.op(name, *self.handles, *inputs, **attrs)

    def fill(self, run: Callable[..., Any]) -> None:
        self.starts = int(run(self.start))

    def take_all(self, run: Callable[..., Any]) -> Any:
        found: list[list[int]] = [[], []]
        more = [0, 1]
        while more:  # in turn, because the buffer of a device that takes nothing holds up the other one
            for shard in list(more):
                try:
                    found[shard] += _plain(run(list(self.get[shard]), {self.number: self.starts}))
                except InvalidArgumentError:  # the iterator has started again
                    self.starts += 1
                except OutOfRangeError:
                    more.remove(shard)
        return found


class Measured(State):
    """Statistics of two elements; the contents are the number of measurements since the filling, and their name."""

    maker = "StatsAggregatorHandle"
    attrs = {"shared_name": "statistics", "container": ""}
    before = 0

    def build(self) -> None:
        produced = self.op("BytesProducedStatsDataset", _range(self, 9), b"bytes", **_NUMBERS)
        dataset = self.op("SetStatsAggregatorDataset", produced, self.handles[0], b"tag", b"", **_NUMBERS)
        iterator = self.op("IteratorV2", shared_name="measured", container="", **_NUMBERS)
        self.start = self.op("MakeIterator", dataset, iterator)
        self.get = list(self.op("IteratorGetNext", iterator, **_NUMBERS))
        self.summary = self.op("StatsAggregatorSummary", self.handles[0])

    def fill(self, run: Callable[..., Any]) -> None:
        self.before = self._measured(run)[0]
        run(self.start)
        for _ in range(2):
            run(self.get)

    def take_all(self, run: Callable[..., Any]) -> Any:
        count, name = self._measured(run)
        return [count - self.before, name]

    def _measured(self, run: Callable[..., Any]) -> tuple[int, str]:
        values = protos.Summary.FromString(run(self.summary)).value
        return (int(values[0].histo.num), values[0].tag) if values else (0, "")


class EarlyMeasured(Measured):
    maker = "ExperimentalStatsAggregatorHandle"


class UnreadMeasured(Measured):
    """Statistics that are only written as events."""

    maker = "StatsAggregatorHandleV2"


class MeasuredEvents(Writer):
    """Statistics that may be written as events; the contents are the events of two elements."""

    def build(self) -> None:
        super().build()
        self.handles = [self.op("StatsAggregatorHandleV2", shared_name="events", container=""), *self.handles]
        Measured.build(self)

    def on_it(self, name: str, *inputs: Any, **attrs: Any) -> Any:
        handles = self.handles if name == "StatsAggregatorSetSummaryWriter" else self.handles[-1:]
        return self.op(name, *handles, *inputs, **attrs)

    def take_all(self, run: Callable[..., Any]) -> Any:
        run(self.start)
        for _ in range(2):
            run(self.get)
        return super().take_all(run)


class Records(Folder):
    """A folder, and a dataset of three texts."""

    def on_it(self, name: str, *inputs: Any, **attrs: Any) -> Any:
        texts = self.op("TensorSliceDataset", [np.array([b"one", b"", b"three"], object)], output_shapes=[[]])
        return self.op(name, texts, *inputs, **attrs)


_RECORDS = b64decode("AwAAAAAAAACwmUkOb25lAUBVCAAAAAAAAAAAKQOYB9jqgqIFAAAAAAAAAOqyBD50aHJlZWAj+0U=")
_MEASURED = [2, "tag::bytes"]

ROWS = [
    StateRow(
        "MultiDeviceIteratorGetNextFromShard",
        DealtOut,
        lambda state: [np.int32(1), np.int64(state.starts)],
        [[0, 2, 4], [3]],
        [1],
        _NUMBERS,
        needs_memory=None,
    ),
    StateRow("MultiDeviceIteratorInit", DealtOut, [np.int64(2)], [[0, 2, 4], [1, 3]], [2], needs_memory=None),
    StateRow("StatsAggregatorSummary", Measured, [], _MEASURED, needs_memory=None),
    StateRow("ExperimentalStatsAggregatorSummary", EarlyMeasured, [], _MEASURED, needs_memory=None),
    StateRow("StatsAggregatorSummary", UnreadMeasured, [], [0, ""], [b""], needs_memory=None),
    FileRow("StatsAggregatorSetSummaryWriter", MeasuredEvents, [], ["0 tag::bytes histo"] * 2, needs_memory=False),
    *(
        FileRow(op, Records, [b"$D/r", b""], {"r": _RECORDS}, needs_memory=False)  # part of a file may be written
        for op in ("DatasetToTFRecord", "ExperimentalDatasetToTFRecord")
    ),
]
