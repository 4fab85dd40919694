"""Files and directories that live as long as a test, and contexts that a test leaves at its end."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import unittest
from contextlib import AbstractContextManager
from typing import IO, Any, TypeVar

from tinytf.testing.test_support import get_temp_dir

_T = TypeVar("_T")


class TemporaryFiles(unittest.TestCase):
    """A test that can make temporary files and enter contexts."""

    _contexts: contextlib.ExitStack | None = None

    def create_tempdir(self, name: str | None = None) -> TempDir:
        """A new empty directory, removed when the test ends; a relative `name` lies in the directory of the test.

        What was there is removed first. ValueError if `name` leads out of that directory.
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
        """A new file with this content (none: empty), removed when the test ends; see create_tempdir and TempDir."""
        return TempDir(self._own_directory()).create_file(file_path, content, mode, encoding, errors)

    def _own_directory(self) -> str:
        path = os.path.join(get_temp_dir(), type(self).__qualname__, self._testMethodName)
        if not os.path.isdir(path):
            os.makedirs(path)
            self.addCleanup(shutil.rmtree, path, ignore_errors=True)
        return path

    def enter_context(self, manager: AbstractContextManager[_T]) -> _T:
        """Enters a context that is left after the test; returns what entering gives."""
        if self._contexts is None:
            self._contexts = contextlib.ExitStack()
            self.addCleanup(self._leave_contexts)
        return self._contexts.enter_context(manager)

    def _leave_contexts(self) -> None:
        contexts, self._contexts = self._contexts, None
        if contexts is not None:
            contexts.close()


class _Temporary:
    """Stands for its path where a path is wanted."""

    def __init__(self, path: str) -> None:
        self._path = path

    @property
    def full_path(self) -> str:
        """The path."""
        return self._path

    def __fspath__(self) -> str:
        return self._path


class TempDir(_Temporary):
    """A directory of a test; stands for its path where a path is wanted."""

    def create_file(
        self,
        file_path: str | None = None,
        content: str | bytes | None = None,
        mode: str = "w",
        encoding: str = "utf8",
        errors: str = "strict",
    ) -> TempFile:
        """A file inside, with directories on the way; a name of its own when `file_path` is None.

        `mode` is "w" or "wb"; bytes are written as they are in both. ValueError for a path that leads out.
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
        """A directory inside, which may exist. ValueError for a path that leads out."""
        path = tempfile.mkdtemp(dir=self._path) if dir_path is None else _inside(self._path, dir_path)
        os.makedirs(path, exist_ok=True)
        return TempDir(path)


class TempFile(_Temporary):
    """A file of a test; stands for its path where a path is wanted."""

    def read_text(self, encoding: str = "utf8", errors: str = "strict") -> str:
        """The content as text."""
        with self.open_text("r", encoding, errors) as file:
            return file.read()

    def read_bytes(self) -> bytes:
        """The content."""
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
        """The open file. ValueError for a binary mode."""
        if "b" in mode:
            raise ValueError(f"mode={mode!r} is for bytes: use open_bytes")
        return open(self._path, mode, encoding=encoding, errors=errors)

    def open_bytes(self, mode: str = "rb") -> IO[Any]:
        """The open file. ValueError for a text mode."""
        if "b" not in mode:
            raise ValueError(f"mode={mode!r} is for text: use open_text")
        return open(self._path, mode)


def _inside(root: str, path: str) -> str:
    full = os.path.normpath(os.path.join(root, path))
    if os.path.commonpath([root, full]) != os.path.normpath(root):
        raise ValueError(f"{path!r} is not inside {root!r}")
    return full
