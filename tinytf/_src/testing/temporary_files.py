"""Temporary files, directories and context managers that end with their test."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import unittest
from contextlib import AbstractContextManager
from typing import IO, Any, TypeVar

from tinytf._src.testing.test_support import get_temp_dir

_T = TypeVar("_T")


class TemporaryFiles(unittest.TestCase):
    """A test case that can create temporary files and enter context managers."""

    _contexts: contextlib.ExitStack | None = None

    def create_tempdir(self, name: str | None = None) -> TempDir:
        """Creates an empty directory that is deleted when the test ends.

        Args:
          name: string, a path below the directory of this test, whose present content is deleted; a new name if None.

        Returns:
          A `TempDir`.

        Raises:
          ValueError: if `name` leads out of the directory of the test.
        """
        root = self._own_directory()
        path = tempfile.mkdtemp(dir=root) if name is None else _inside(root, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return TempDir(path)

    def create_tempfile(
        self,
        file_path: str | None = None,
        content: str | bytes | None = None,
        mode: str = "w",
        encoding: str = "utf8",
        errors: str = "strict",
    ) -> TempFile:
        """Creates a file that is deleted when the test ends.

        Args:
          file_path: string, a path below the directory of this test; a new name if None.
          content: str or bytes; the file is empty if None.
          mode: "w" or "wb"; bytes are written unchanged in both modes.
          encoding: string, how a str is encoded.
          errors: string, how characters that cannot be encoded are handled, as in `open`.

        Returns:
          A `TempFile`.

        Raises:
          ValueError: if `file_path` leads out of the directory of the test.
        """
        return TempDir(self._own_directory()).create_file(file_path, content, mode, encoding, errors)

    def _own_directory(self) -> str:
        path = os.path.join(get_temp_dir(), type(self).__qualname__, self._testMethodName)
        if not os.path.isdir(path):
            os.makedirs(path)
            self.addCleanup(shutil.rmtree, path, ignore_errors=True)
        return path

    def enter_context(self, manager: AbstractContextManager[_T]) -> _T:
        """Enters a context manager that is exited after the test; returns the value of its `__enter__`."""
        if self._contexts is None:
            self._contexts = contextlib.ExitStack()
            self.addCleanup(self._leave_contexts)
        return self._contexts.enter_context(manager)

    def _leave_contexts(self) -> None:
        contexts, self._contexts = self._contexts, None
        if contexts is not None:
            contexts.close()


class _Temporary:
    """An `os.PathLike` for a temporary file or directory."""

    def __init__(self, path: str) -> None:
        self._path = path

    @property
    def full_path(self) -> str:
        """The absolute path, a string."""
        return self._path

    def __fspath__(self) -> str:
        return self._path


class TempDir(_Temporary):
    """A temporary directory of a test, usable as an `os.PathLike`."""

    def create_file(
        self,
        file_path: str | None = None,
        content: str | bytes | None = None,
        mode: str = "w",
        encoding: str = "utf8",
        errors: str = "strict",
    ) -> TempFile:
        """Creates a file in this directory, with missing parent directories; takes the arguments of `create_tempfile`.

        Raises:
          ValueError: if `file_path` leads out of this directory.
        """
        if file_path is None:
            handle, path = tempfile.mkstemp(dir=self._path)
            os.close(handle)
        else:
            path = _inside(self._path, file_path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
        file = TempFile(path)
        if isinstance(content, bytes) or "b" in mode:
            file.write_bytes(content if isinstance(content, bytes) else (content or "").encode(encoding, errors))
        else:
            file.write_text(content or "", mode, encoding, errors)
        return file

    def mkdir(self, dir_path: str | None = None) -> TempDir:
        """Creates a subdirectory, which may exist already; `dir_path` is a path below this one, or None for a new name.

        Raises:
          ValueError: if `dir_path` leads out of this directory.
        """
        path = tempfile.mkdtemp(dir=self._path) if dir_path is None else _inside(self._path, dir_path)
        os.makedirs(path, exist_ok=True)
        return TempDir(path)


class TempFile(_Temporary):
    """A temporary file of a test, usable as an `os.PathLike`."""

    def read_text(self, encoding: str = "utf8", errors: str = "strict") -> str:
        """Returns the content as a string."""
        with self.open_text("r", encoding, errors) as file:
            return file.read()

    def read_bytes(self) -> bytes:
        """Returns the content as bytes."""
        with self.open_bytes() as file:
            return file.read()

    def write_text(self, text: str, mode: str = "w", encoding: str = "utf8", errors: str = "strict") -> None:
        """Writes text; mode "a" appends."""
        with self.open_text(mode, encoding, errors) as file:
            file.write(text)

    def write_bytes(self, data: bytes, mode: str = "wb") -> None:
        """Writes bytes; mode "ab" appends."""
        with self.open_bytes(mode) as file:
            file.write(data)

    def open_text(self, mode: str = "rt", encoding: str = "utf8", errors: str = "strict") -> IO[Any]:
        """Opens the file in a text mode. Raises ValueError for a binary mode."""
        if "b" in mode:
            raise ValueError(f"mode={mode!r} is a binary mode: use open_bytes")
        return open(self._path, mode, encoding=encoding, errors=errors)

    def open_bytes(self, mode: str = "rb") -> IO[Any]:
        """Opens the file in a binary mode. Raises ValueError for a text mode."""
        if "b" not in mode:
            raise ValueError(f"mode={mode!r} is a text mode: use open_text")
        return open(self._path, mode)


def _inside(root: str, path: str) -> str:
    full = os.path.normpath(os.path.join(root, path))
    if os.path.commonpath([root, full]) != os.path.normpath(root):
        raise ValueError(f"{path!r} is not inside {root!r}")
    return full
