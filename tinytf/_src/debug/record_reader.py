"""Reader of files of recorded steps."""

from __future__ import annotations

import errno
import json
import os
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tinytf._src import protos
from tinytf._src.debug.record_arrays import array_from, strings_from
from tinytf._src.debug.record_damage import Damage, check, check_items, damage_if, damage_told
from tinytf._src.debug.record_format import FORMAT, STORED_AS, VERSION, ArrayRef, is_storable
from tinytf._src.debug.recorded_step import RecordedStep
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.values import dtypes

_ENCRYPTED = 1  # bit of a member's flags


@contextmanager
def _damaged_zip() -> Iterator[None]:
    """Turns the exceptions that reading a corrupt zip raises into Damage."""
    kinds = (zipfile.BadZipFile, EOFError, NotImplementedError, OverflowError, ValueError, struct.error)
    try:
        with damage_if(*kinds):
            yield
    except OSError as e:
        if e.errno != errno.EINVAL:  # EINVAL means an offset outside the file
            raise
        raise Damage(str(e)) from e


class RecordReader:
    """Reads a file of recorded steps; a context manager that closes the file.

    Raises DataLossError if the file is corrupt, UnimplementedError for another format version, and IndexError for a
    step that does not exist.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = open(path, "rb")
        try:
            with damage_told(path):
                with _damaged_zip():
                    self._zip = zipfile.ZipFile(self._file)
                self.version, self.graph_lines, self.steps = self._about()
            if self.version != VERSION:
                raise errors_impl.UnimplementedError(
                    None,
                    None,
                    f"{path} has version {self.version} of the format, but only version {VERSION} is supported.",
                )
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> RecordReader:
        return self

    def __exit__(self, *exc: Any) -> None:
        self._file.close()

    def step(self, number: int) -> RecordedStep:
        """Returns the recorded step with this number, counted from 0."""
        if not 0 <= number < self.steps:
            raise IndexError(f"{self._path} has no step {number}: it has {self.steps} steps.")
        with damage_told(self._path):
            step = RecordedStep.from_json(self._json(f"steps/{number}.json"))
            if step.graph >= len(self.graph_lines):
                raise Damage(f"the step refers to graph {step.graph}, which does not exist")
        return step

    def graph_def(self, number: int) -> Any:
        """Returns the GraphDef with this number."""
        from google.protobuf.message import DecodeError

        with damage_told(self._path):
            text = self._bytes(f"graphs/{number}.pb")
            with damage_if(DecodeError):
                return protos.GraphDef.FromString(text)

    def array(self, ref: ArrayRef) -> np.ndarray[Any, Any]:
        """Returns the array that a step refers to."""
        member, name, shape = ref
        dtype = dtypes.as_dtype(name)
        with damage_told(self._path):
            data = self._bytes(f"{member}.npy")
            if dtype == dtypes.string:
                return strings_from(data, self._bytes(f"{member}.lengths.npy"), shape)
            if not is_storable(dtype):
                raise Damage(f"values of type {name}")
            numpy_type = np.dtype(dtype.as_numpy_dtype)
            return array_from(data, STORED_AS.get(name, numpy_type), shape).view(numpy_type)

    def _about(self) -> tuple[int, list[dict[str, str]], int]:
        """Returns the format version, the source line of each node by graph, and the number of steps."""
        about = check(self._json("record.json"), dict)
        if about.get("format") != FORMAT:
            raise Damage(f"format {about.get('format')!r}")
        graph_lines = check_items(about.get("graphs"))
        for lines in graph_lines:
            for line in check(lines, dict).values():
                check(line, str)
        return check(about.get("version"), int), graph_lines, check(about.get("steps"), int)

    def _json(self, member: str) -> Any:
        text = self._bytes(member)
        with damage_if(ValueError, RecursionError):
            return json.loads(text)

    def _bytes(self, member: str) -> bytes:
        with damage_if(KeyError):
            info = self._zip.getinfo(member)
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
            raise Damage(f"{member} is compressed")
        if info.flag_bits & _ENCRYPTED:
            raise Damage(f"{member} is encrypted")
        if info.file_size > os.fstat(self._file.fileno()).st_size:
            raise Damage(f"{member} is larger than the file")
        with _damaged_zip():
            return self._zip.read(info)
