"""The file of recorded steps: a zip of stored members, read as if it came from an enemy.

    record.json             {"format", "version", "graphs": [lines of the program by node], "steps"}
    graphs/<g>.pb           GraphDef
    steps/<n>.json          what `RecordedStep` says
    arrays/….npy            the arrays that steps refer to; bytes of strings one after the other,
    arrays/….lengths.npy    and their lengths

Members are not compressed, so that nothing read is larger than the file.
"""

from __future__ import annotations

import io
import json
import math
import os
import threading
import tokenize
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from tinytf.framework import dtypes, errors_impl

_FORMAT = "tinytf step record"
_VERSION = 1
_BITS = {"bfloat16": np.dtype("<u2")}  # types that .npy files do not know, by what they are stored as
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}

# A number that stands for an array: the member without its ".npy", name of the dtype, shape.
ArrayRef = list[Any]


@dataclass
class RecordedStep:
    """One step as its file tells it; tensors and operations by name."""

    graph: int  # number of the GraphDef
    isa: str  # level of instructions that kernels used
    fetches: list[str]
    targets: list[str]
    feeds: list[tuple[str, ArrayRef]]
    random_states: list[tuple[str, list[int]]]  # of nodes with random numbers, before the step: counter and key
    variables: list[tuple[str, ArrayRef | None]]  # of nodes that stand for variables, before the step; None: no value
    kept: list[tuple[str, list[ArrayRef]]]  # outputs of nodes that can not run again
    nodes: list[tuple[str, list[list[Any]]]]  # what each node that ran yielded: see `Value`
    variables_after: list[tuple[str, int]]  # digests of their values
    error: str | None  # what the step raised

    def check(self) -> None:
        """TypeError or ValueError if something is not of its type."""
        _check(self.graph, int)
        _check(self.isa, str)
        for name in [*self.fetches, *self.targets]:
            _check(name, str)
        for name, ref in self.feeds:
            _check_ref(name, ref)
        for name, value in self.variables:
            _check_ref(name, value if value is not None else ["", "", []])
        for name, refs in self.kept:
            for ref in refs:
                _check_ref(name, ref)
        for name, state in self.random_states:
            _check(name, str)
            if len(state) != 6 or not all(_check(word, int) < 2**32 for word in state):
                raise ValueError(f"no random state: {state}")
        for name, outputs in self.nodes:
            _check(name, str)
            for digest, dtype, dims, *numbers in outputs:
                if dtype != 0:  # of no value
                    dtypes.as_dtype(dtype)
                counts, bounds = numbers[:3], numbers[3:]
                for number in [digest, dtype, *dims, *counts]:
                    _check(number, int)
                if len(bounds) != 2 or not all(isinstance(bound, (int, float)) for bound in bounds):
                    raise TypeError(f"no bounds: {bounds}")
        for name, digest in self.variables_after:
            _check(name, str)
            _check(digest, int)
        if self.error is not None:
            _check(self.error, str)


def _check(value: Any, kind: Any) -> Any:
    if type(value) is not kind or (kind is int and value < 0):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _check_ref(name: Any, ref: Any) -> None:
    _check(name, str)
    member, dtype, shape = ref
    _check(member, str)
    _check(dtype, str)
    for size in shape:
        _check(size, int)


class RecordComplete(Exception):
    """Something came after the end of a record."""


class RecordWriter:
    """Writes a file that appears complete at `finish`, or not at all. Thread-safe.

    Afterwards everything raises RecordComplete; after a failure to write, that failure.
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
        """Adds a graph with the lines of the program that made its nodes; returns its number."""
        with self._lock:
            number = len(self._graph_lines)
            self._write(f"graphs/{number}.pb", graph_def)
            self._graph_lines.append(lines)
        return number

    def add_array(self, member: str, dtype: dtypes.DType, value: Any) -> ArrayRef:
        """Adds an array of that type. UnimplementedError for types that have no bits."""
        name = dtype.base_dtype.name
        if name != "string" and not _is_storable(name):
            raise errors_impl.UnimplementedError(None, None, f"Values of type {name} can not be recorded.")
        array = np.asarray(value, dtype.base_dtype.as_numpy_dtype)
        members = {f"{member}.npy": array.view(_BITS[name]) if name in _BITS else array}
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
        """Adds a step whose graph and arrays are there already."""
        with self._lock:
            self._write(f"steps/{self._steps}.json", json.dumps(vars(step), allow_nan=False).encode())
            self._steps += 1

    def finish(self) -> None:
        """Makes the file appear."""
        with self._lock:
            about = {"format": _FORMAT, "version": _VERSION, "graphs": self._graph_lines, "steps": self._steps}
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


@contextmanager
def damage_told(path: str) -> Iterator[None]:
    """Turns what reading broken data raises into DataLossError."""
    try:
        yield
    except errors_impl.DataLossError:
        raise
    except (
        zipfile.BadZipFile,
        tokenize.TokenError,  # from headers of .npy members
        errors_impl.OpError,
        ArithmeticError,
        AttributeError,
        EOFError,
        LookupError,
        MemoryError,
        NotImplementedError,
        OSError,
        RuntimeError,
        SyntaxError,
        TypeError,
        ValueError,
    ) as e:
        raise errors_impl.DataLossError(None, None, f"{path} is no whole record of steps: {e}") from e


class RecordReader:
    """Reads such a file. DataLossError for one that is broken, IndexError for a step that it does not have."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = open(path, "rb")
        try:
            with damage_told(path):
                self._zip = zipfile.ZipFile(self._file)
                about = json.loads(self._bytes("record.json"))
                if about["format"] != _FORMAT:
                    raise ValueError(f"format {about['format']!r}")
                self.version = _check(about["version"], int)
                self.graph_lines: list[dict[str, str]] = about["graphs"]
                self.steps = _check(about["steps"], int)
                for lines in _check(self.graph_lines, list):
                    for name, line in _check(lines, dict).items():
                        _check(name, str)
                        _check(line, str)
            if self.version != _VERSION:
                raise errors_impl.UnimplementedError(
                    None, None, f"{path} has version {self.version} of the format; known is {_VERSION}."
                )
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> RecordReader:
        return self

    def __exit__(self, *exc: Any) -> None:
        self._file.close()

    def step(self, number: int) -> RecordedStep:
        """A recorded step, from 0."""
        if not 0 <= number < self.steps:
            raise IndexError(f"{self._path} has no step {number}: it has {self.steps} of them.")
        with damage_told(self._path):
            step = RecordedStep(**json.loads(self._bytes(f"steps/{number}.json")))
            step.check()
            if step.graph >= len(self.graph_lines):
                raise ValueError(f"no graph {step.graph}")
        return step

    def graph_def(self, number: int) -> Any:
        """A GraphDef message."""
        from google.protobuf.message import DecodeError

        from tinytf.interop import protos

        with damage_told(self._path):
            graph_def = protos.GraphDef()
            try:
                graph_def.ParseFromString(self._bytes(f"graphs/{number}.pb"))
            except DecodeError as e:
                raise ValueError(str(e)) from e
        return graph_def

    def array(self, ref: ArrayRef) -> np.ndarray[Any, Any]:
        """The array that a step refers to."""
        member, name, shape = ref
        with damage_told(self._path):
            if name == "string":
                return self._strings(member, shape)
            if not _is_storable(name):
                raise ValueError(f"values of type {name}")
            numpy_type = np.dtype(dtypes.as_dtype(name).as_numpy_dtype)
            stored = self._npy(f"{member}.npy", _BITS.get(name, numpy_type), shape)
            return stored.view(numpy_type)

    def _strings(self, member: str, shape: list[int]) -> np.ndarray[Any, Any]:
        lengths = self._npy(f"{member}.lengths.npy", np.dtype(np.int64), [math.prod(shape)])
        ends = [0]
        for length in lengths.tolist():
            ends.append(ends[-1] + _check(length, int))
        text = self._npy(f"{member}.npy", np.dtype(np.uint8), [ends[-1]]).tobytes()
        array = np.empty(len(lengths), object)
        array[:] = [text[begin:end] for begin, end in zip(ends, ends[1:])]
        return array.reshape(shape)

    def _npy(self, member: str, dtype: np.dtype[Any], shape: list[int]) -> np.ndarray[Any, Any]:
        """An array of that type and shape and no other."""
        data = self._bytes(member)
        text = io.BytesIO(data)
        read_header = _HEADERS[np.lib.format.read_magic(text)]
        found_shape, fortran_order, found = read_header(text)
        if found != dtype or list(found_shape) != shape:
            raise ValueError(f"{member} is {found}{list(found_shape)}, not {dtype}{shape}")
        begin = text.tell()
        if len(data) - begin != math.prod(shape) * dtype.itemsize:
            raise ValueError(f"{member} has {len(data) - begin} bytes of data")
        return np.frombuffer(data, dtype, offset=begin).reshape(shape, order="F" if fortran_order else "C")

    def _bytes(self, member: str) -> bytes:
        info = self._zip.getinfo(member)
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
            raise ValueError(f"{member} is compressed")
        return self._zip.read(info)


def _is_storable(name: str) -> bool:
    dtype = dtypes.as_dtype(name)
    return dtype.is_bool or dtype.is_integer or dtype.is_floating or dtype.is_complex
