"""`FileIO`: a file with TensorFlow's methods for reading and writing."""

from __future__ import annotations

import io
import os
from typing import Any

from tinytf._src.framework.errors import errors_impl
from tinytf._src.platform.compat import as_bytes
from tinytf._src.platform.local_path import errors_about, local

_MODES = ("r", "w", "a", "r+", "w+", "a+")


class FileIO:
    """A file, opened at the first read or write; after `close`, further use reopens it at the start.

    Reading and writing have separate positions. Not thread-safe.

    Args:
      name: str, bytes or path; a `file://` prefix is allowed.
      mode: one of "r", "w", "a", "r+", "w+" and "a+", with "b" added to read bytes instead of str.

    Raises:
      InvalidArgumentError: for other modes.
    """

    def __init__(self, name: Any, mode: str) -> None:
        self.__name, self.__mode = name, mode
        self._reading: io.BufferedReader | None = None
        self._writing: io.BufferedWriter | None = None
        self._binary = "b" in mode
        plain = mode.replace("b", "")
        if plain not in _MODES:
            raise errors_impl.InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
        self._may_read = plain in ("r", "r+", "w+", "a+")
        self._may_write = plain != "r"
        self._appends = plain.startswith("a")

    @property
    def name(self) -> Any:
        """The name that was given."""
        return self.__name

    @property
    def mode(self) -> str:
        """The mode that was given."""
        return self.__mode

    def _reader(self) -> io.BufferedReader:
        if self._reading is None:
            if not self._may_read:
                raise errors_impl.PermissionDeniedError(None, None, "File isn't open for reading")
            path = local(self.__name)
            with errors_about(self.__name):
                self._reading = open(path, "rb")
        return self._reading

    def _writer(self) -> io.BufferedWriter:
        if self._writing is None:
            if not self._may_write:
                raise errors_impl.PermissionDeniedError(None, None, "File isn't open for writing")
            path = local(self.__name)
            with errors_about(self.__name):
                self._writing = open(path, "ab" if self._appends else "wb")
        return self._writing

    def _value(self, data: bytes) -> Any:
        return data if self._binary else data.decode("utf-8")

    def size(self) -> int:
        """The size of the file in bytes, without data that has not been flushed yet."""
        path = local(self.__name)
        with errors_about(self.__name):
            return os.stat(path).st_size

    def write(self, file_content: Any) -> None:
        """Writes bytes, or str encoded as UTF-8. Raises PermissionDeniedError if the mode is for reading only."""
        writer = self._writer()
        data = as_bytes(file_content)
        with errors_about(self.__name):
            writer.write(data)

    def read(self, n: int = -1) -> Any:
        """The next `n` bytes, or the rest of the file if `n` is -1: bytes in binary modes, else str decoded from UTF-8.

        Raises PermissionDeniedError if the mode does not allow reading, TypeError or OverflowError for an invalid `n`.
        """
        reader = self._reader()
        if not isinstance(n, int):
            raise TypeError(f"read() takes a number of bytes, not {n!r}")
        if n < -1:
            raise OverflowError(f"read() takes a number of bytes, or -1 for all, not {n}")
        with errors_about(self.__name):
            data = reader.read(n)
        return self._value(data)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Moves the reading position.

        Args:
          offset: int, bytes relative to `whence`.
          whence: int: 0 is the start of the file, 1 the current position, 2 the end.
          position: deprecated name of `offset`.

        Raises:
          TypeError: if not exactly one of `offset` and `position` is given, or if it is not an int.
          InvalidArgumentError: for another `whence` or a negative target.
          OutOfRangeError: if the target lies past the end; the position is then the end of the file.
        """
        reader = self._reader()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        where = position if offset is None else offset
        if not isinstance(where, int):
            raise TypeError(f"seek() takes a number of bytes, not {where!r}")
        if whence not in (0, 1, 2):
            text = f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2."
            raise errors_impl.InvalidArgumentError(None, None, text)
        end = self.size()
        where += (0, reader.tell(), end)[whence]
        if where < 0:
            raise errors_impl.InvalidArgumentError(None, None, f"Seeking to a negative position: {where}")
        reader.seek(min(where, end))
        if where > end:
            raise errors_impl.OutOfRangeError(None, None, "reached end of file")

    def readline(self) -> Any:
        """The next line with its newline, without carriage returns; empty at the end of the file."""
        reader = self._reader()
        with errors_about(self.__name):
            return self._value(reader.readline().replace(b"\r", b""))

    def readlines(self) -> list[Any]:
        """The remaining lines, as a list."""
        return list(self)

    def tell(self) -> int:
        """The reading position if the mode allows reading, else the writing position, in bytes."""
        if self._may_read:
            return self._reader().tell()
        return self._writer().tell()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, unused_type: Any, unused_value: Any, unused_traceback: Any) -> None:
        self.close()

    def __iter__(self) -> Any:
        return self

    def next(self) -> Any:
        """The next line. Raises StopIteration at the end of the file."""
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    __next__ = next

    def flush(self) -> None:
        """Passes written data to the operating system, so that other readers see it."""
        if self._writing is not None:
            with errors_about(self.__name):
                self._writing.flush()

    def close(self) -> None:
        """Flushes and closes the file. Does nothing if it is not open."""
        reading, self._reading = self._reading, None
        writing, self._writing = self._writing, None
        if reading is not None:
            reading.close()
        if writing is not None:
            with errors_about(self.__name):
                writing.close()

    def __del__(self) -> None:
        if getattr(self, "_reading", None) is not None or getattr(self, "_writing", None) is not None:
            self.close()

    def seekable(self) -> bool:
        """True: all files are seekable."""
        return True
