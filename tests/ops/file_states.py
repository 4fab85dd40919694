"""States that are files in a folder of this process, and readers of such files with a queue of their names."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from state_table import State, _plain

from tinytf._src.framework.values import dtypes

_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []  # of this process; removed at its end


def _root() -> Path:
    if not _FOLDERS:
        _FOLDERS.append(tempfile.TemporaryDirectory())
    return Path(_FOLDERS[0].name)


class Folder(State):
    """A folder with files; the inputs of its rows contain `$D` for its path."""

    files: dict[str, bytes] = {}

    def build(self) -> None:
        self.root = _root()

    def fill(self, run: Callable[..., Any]) -> None:
        self.write(self.files)

    def write(self, files: dict[str, bytes]) -> None:
        """Replaces all files."""
        self._clear()
        for name, content in files.items():
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_bytes(content)

    def _clear(self) -> None:
        for path in self.root.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def take_all(self, run: Callable[..., Any]) -> Any:
        paths = sorted(path for path in self.root.rglob("*") if path.is_file())
        found = {str(path.relative_to(self.root)): path.read_bytes() for path in paths}
        self._clear()
        return found

    def placed(self, value: Any) -> Any:
        """The value with the path of the folder for `$D` in its texts."""
        if isinstance(value, list):
            return [self.placed(v) for v in value]
        if isinstance(value, bytes):
            return value.replace(b"$D", bytes(self.root))
        if isinstance(value, np.ndarray) and value.dtype == object:
            return np.array(self.placed(value.tolist()), object)
        return value


class Reader(Folder):
    """A reader of lines, and a queue with the name of a file."""

    maker = "TextLineReaderV2"
    generation = "V2"
    files = {"f": b"one\ntwo\nthree\n"}
    name = b"$D/f"
    all_records = [b"one", b"two", b"three"]

    def build(self) -> None:
        super().build()
        types = {"component_types": [dtypes.string]}
        queue = self.op(f"FIFOQueue{self.generation}", shapes=[[]], **types)
        self.handles = [*self.handles, queue]
        named = self.placed(self.name)
        self.enqueue = self.op(f"QueueEnqueue{self.generation}", queue, [named])
        self.dequeue = self.op(f"QueueDequeueMany{self.generation}", queue, self._size(queue), **types)
        self.reset = self.on_it(f"ReaderReset{self.generation}")
        self.produced = self.on_it(f"ReaderNumRecordsProduced{self.generation}")
        self.rest = self.on_it(f"ReaderReadUpTo{self.generation}", np.int64(9))

    def _size(self, queue: Any) -> Any:
        return self.op(f"QueueSize{self.generation}", queue)

    def on_it(self, name: str, *inputs: Any, **attrs: Any) -> Any:
        handles = self.handles if name.startswith("ReaderRead") else self.handles[:1]
        return self.op(name, *handles, *inputs, **attrs)

    def fill(self, run: Callable[..., Any]) -> None:
        super().fill(run)
        run(self.reset)
        run(self.enqueue)

    def take_all(self, run: Callable[..., Any]) -> Any:
        """The number of records that were read, and the others."""
        produced = int(run(self.produced))
        rest = _plain(run(self.rest)[1]) if produced < len(self.all_records) else []
        run([self.reset, self.dequeue])
        return [produced, *rest]


class EarlyReader(Reader):
    maker = "TextLineReader"
    generation = ""
    version = 25


def folder_with(**files: bytes) -> type[Folder]:
    """The folder with these files; a double underscore in a name stands for a dot."""
    return type("Folder", (Folder,), {"files": {name.replace("__", "."): content for name, content in files.items()}})
