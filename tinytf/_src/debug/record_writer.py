"""Writer of files of recorded steps."""

from __future__ import annotations

import io
import json
import os
import threading
import zipfile
from contextlib import suppress
from typing import Any

import numpy as np

from tinytf._src.debug.record_format import FORMAT, STORED_AS, VERSION, ArrayRef, is_storable
from tinytf._src.debug.recorded_step import RecordedStep
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.numpy_compat import asarray_of


class RecordComplete(Exception):
    """Raised if something is added after the end of a record."""


class RecordWriter:
    """Writes a file that appears complete at `finish`, or not at all. Thread-safe.

    After `finish` all methods raise RecordComplete; after a failed write they raise that failure.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._unfinished = f"{path}.{os.getpid()}.{id(self):x}.tmp"
        self._lock = threading.Lock()
        self._zip: zipfile.ZipFile | None = zipfile.ZipFile(self._unfinished, "x")
        self._failure: BaseException | None = None
        self._graph_lines: list[dict[str, str]] = []
        self._steps = 0

    def add_graph(self, graph_def: bytes, lines: dict[str, str]) -> int:
        """Adds a serialized GraphDef and the source line of each node; returns the graph's number."""
        with self._lock:
            number = len(self._graph_lines)
            self._write(f"graphs/{number}.pb", graph_def)
            self._graph_lines.append(lines)
        return number

    def add_array(self, member: str, dtype: dtypes.DType, value: Any) -> ArrayRef:
        """Adds an array and returns its reference. Raises UnimplementedError for dtypes that cannot be stored."""
        name = dtype.base_dtype.name
        if name != "string" and not is_storable(dtype):
            raise errors_impl.UnimplementedError(None, None, f"Values of type {name} cannot be recorded.")
        array = asarray_of(value, dtype.base_dtype.as_numpy_dtype)
        members = {f"{member}.npy": array.view(STORED_AS[name]) if name in STORED_AS else array}
        if name == "string":
            texts = [text.encode() if isinstance(text, str) else bytes(text) for text in array.ravel()]
            members = {
                f"{member}.npy": np.frombuffer(b"".join(texts), np.uint8),
                f"{member}.lengths.npy": np.array([len(text) for text in texts], np.int64),
            }
        with self._lock:
            for path, stored in members.items():
                text = io.BytesIO()
                np.lib.format.write_array(text, stored, allow_pickle=False)
                self._write(path, text.getbuffer())
        return [member, name, list(array.shape)]

    def add_step(self, step: RecordedStep) -> None:
        """Adds a step; its graph and arrays must have been added before."""
        with self._lock:
            self._write(f"steps/{self._steps}.json", json.dumps(vars(step), allow_nan=False).encode())
            self._steps += 1

    def finish(self) -> None:
        """Completes the file and moves it to its path."""
        with self._lock:
            about = {"format": FORMAT, "version": VERSION, "graphs": self._graph_lines, "steps": self._steps}
            try:
                self._write("record.json", json.dumps(about).encode())
                file, self._zip = self._zip, None
                if file is not None:
                    file.close()
                os.replace(self._unfinished, self._path)
            except BaseException:
                self._discard()
                raise

    def _discard(self) -> None:
        file, self._zip = self._zip, None
        if file is not None:
            with suppress(OSError, ValueError):
                file.close()
        with suppress(FileNotFoundError):
            os.unlink(self._unfinished)

    def _write(self, member: str, data: Any) -> None:
        if self._zip is None:
            raise self._failure or RecordComplete(self._path)
        try:
            self._zip.writestr(zipfile.ZipInfo(member), data)
        except BaseException as e:
            self._failure = e
            self._discard()
            raise
