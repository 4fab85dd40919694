"""Rows of ops that write events, on a writer of a file of events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from file_states import Folder
from google.protobuf.message import DecodeError
from state_table import FileRow

from tinytf._src import protos
from tinytf._src.framework.errors.errors import NotFoundError
from tinytf._src.platform.tf_record_reader import tf_record_iterator


class Writer(Folder):
    """A writer of events into the folder; its contents are the kinds of its events."""

    maker = "SummaryWriter"
    attrs = {"shared_name": "writer"}

    def build(self) -> None:
        super().build()
        self.create = self.on_it("CreateSummaryFileWriter", bytes(self.root), 10, 100_000, b".v")
        self.flush = self.on_it("FlushSummaryWriter")
        self.close = self.on_it("CloseSummaryWriter")

    def fill(self, run: Callable[..., Any]) -> None:
        super().fill(run)
        run(self.create)

    def take_all(self, run: Callable[..., Any]) -> Any:
        for op in (self.flush, self.close):
            try:
                run(op)
            except NotFoundError:  # it is closed
                pass
        files = sorted(self.root.iterdir())
        found = [_text(record) for path in files for record in tf_record_iterator(str(path))]
        self._clear()
        return [text for text in found if text]


def _text(record: bytes) -> str:
    """The step, and the tags and kinds of the values; nothing for the version of the file."""
    try:
        event = protos.Event.FromString(record)
    except DecodeError:  # A tag is no UTF-8. TensorFlow writes such events, too.
        return "unreadable"
    kind = event.WhichOneof("what")
    values = [f"{value.tag} {value.WhichOneof('value')}" for value in event.summary.value]
    return " ".join([str(event.step), *(values or [kind])]) if kind != "file_version" else ""


_STEP, _TAG = np.int64(7), b"a"
_SUMMARY = protos.Summary(value=[{"tag": "a", "simple_value": 2.0}])
_EVENT = protos.Event(step=3, wall_time=1.0, summary=_SUMMARY)
_BLACK, _SILENCE = np.zeros([1, 1, 1, 1], np.uint8), np.zeros([1, 2, 1], np.float32)

ROWS = [
    FileRow("WriteScalarSummary", Writer, [_STEP, _TAG, np.float32(2)], ["7 a simple_value"]),
    FileRow("WriteRawProtoSummary", Writer, [_STEP, _SUMMARY.SerializeToString()], ["7 a simple_value"]),
    FileRow("WriteHistogramSummary", Writer, [_STEP, _TAG, np.float32([1, 2])], ["7 a histo"]),
    FileRow("WriteImageSummary", Writer, [_STEP, _TAG, _BLACK, np.uint8([255, 0, 0, 255])], ["7 a/image/0 image"]),
    FileRow("WriteAudioSummary", Writer, [_STEP, _TAG, _SILENCE, np.float32(8)], ["7 a/audio/0 audio"]),
    FileRow("WriteSummary", Writer, [_STEP, np.float32(2), _TAG, b""], ["7 a tensor"]),
    FileRow("WriteGraphSummary", Writer, [_STEP, b""], ["7 graph_def"]),
    FileRow("ImportEvent", Writer, [_EVENT.SerializeToString()], ["3 a simple_value"]),
    FileRow("FlushSummaryWriter", Writer, [], []),
    FileRow("CloseSummaryWriter", Writer, [], []),
    FileRow("CreateSummaryFileWriter", Writer, [b"$D", np.int32(1), np.int32(9), b".v"], []),
]
