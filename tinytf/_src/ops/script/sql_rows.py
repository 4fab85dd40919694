"""Reads the rows of databases for the nodes SqlDataset, with Python's sqlite3."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import numpy as np

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.script import python_functions

if TYPE_CHECKING:
    import sqlite3

_ROWS = 256  # rows that are read at a time
_MOST_OPEN = 16  # queries that are kept open; a query that was closed is run again
_SELECT, _READ, _FUNCTION, _PRAGMA, _RECURSIVE = 21, 20, 31, 19, 33  # actions of SQLite that only read
_lock = threading.Lock()
_open: OrderedDict[int, _Query] = OrderedDict()  # by iteration, the one used last at the end
_process = os.getpid()

# Error codes of SQLite; others are UNKNOWN.
_CODES = {
    3: errors_impl.PERMISSION_DENIED,
    4: errors_impl.ABORTED,
    5: errors_impl.UNAVAILABLE,
    6: errors_impl.UNAVAILABLE,
    7: errors_impl.RESOURCE_EXHAUSTED,
    8: errors_impl.FAILED_PRECONDITION,
    9: errors_impl.CANCELLED,
    11: errors_impl.DATA_LOSS,
    14: errors_impl.NOT_FOUND,
    18: errors_impl.OUT_OF_RANGE,
    20: errors_impl.FAILED_PRECONDITION,
    23: errors_impl.PERMISSION_DENIED,
    26: errors_impl.INVALID_ARGUMENT,
}
_SQL_TYPES = {np.dtype(np.float64): "REAL", np.dtype(object): "TEXT"}
_PYTHON_TYPES = {"INTEGER": int, "REAL": float, "TEXT": bytes}


class _FailedQueryError(Exception):
    """Carries the error code and text of a query that fails."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class _Query:
    """The rows of the result of a query."""

    def __init__(self, database: str, text: str, columns: int) -> None:
        import sqlite3

        self.text = text
        self.row = 0
        self._connection = _connect(database)
        self._cursor = self._run(columns)
        self._converter = sqlite3.connect(":memory:", check_same_thread=False)
        self._converter.text_factory = bytes

    def _run(self, columns: int) -> sqlite3.Cursor:
        """Runs the first statement, which may only read."""
        import sqlite3

        statement = _first_statement(self.text)
        cursor = self._connection.cursor()
        denied: list[int] = []

        def allows(action: int, *_: Any) -> int:
            if action in (_SELECT, _READ, _FUNCTION, _PRAGMA, _RECURSIVE):
                return sqlite3.SQLITE_OK
            denied.append(action)
            return sqlite3.SQLITE_DENY

        self._connection.set_authorizer(allows)
        try:
            cursor.execute("EXPLAIN " + statement if statement.strip(" \t\r\n;") else "")
        except sqlite3.Error as error:
            if not denied:
                raise _failed("Prepare", error, self.text) from None
        found = 0
        if not denied:
            try:
                cursor.execute(statement)
            except sqlite3.Error as error:
                raise _failed("Step", error, self.text) from None
            found = len(cursor.description or ())
        if found != columns:
            raise _FailedQueryError(
                errors_impl.INVALID_ARGUMENT,
                f"The number of columns in query ({found}) must match the number of elements in output_types "
                f"({columns}).",
            )
        return cursor

    def read(self, types: list[np.dtype[Any]]) -> list[list[Any]]:
        """The next rows, as columns; none at the end."""
        import sqlite3

        rows: list[tuple[Any, ...]] = []
        try:
            while len(rows) < _ROWS:
                row = self._cursor.fetchone()
                if row is None:
                    break
                rows.append(row)
        except sqlite3.Error as error:
            if not rows:
                raise _failed("Step", error, self.text) from None
        self.row += len(rows)
        return [[self._converted(row[i], dtype) for row in rows] for i, dtype in enumerate(types)]

    def skip(self, row: int) -> None:
        """Goes on to a later row."""
        while self.row < row and self._cursor.fetchone() is not None:
            self.row += 1

    def _converted(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """The value as SQLite returns it in a column of another type."""
        name = _SQL_TYPES.get(dtype, "INTEGER")
        if type(value) is not _PYTHON_TYPES[name]:
            [value] = self._converter.execute(f"SELECT CAST(? AS {name})", (value,)).fetchone()
            value = _PYTHON_TYPES[name]() if value is None else value
        if name != "INTEGER":
            return value
        if dtype == np.bool_:
            return value != 0
        bits = 8 * dtype.itemsize
        # SQLite's int64 is narrowed by C: for small unsigned dtypes and signed ones by way of int32.
        return int(np.array(value, np.int64).astype(dtype)) if bits < 64 else value

    def close(self) -> None:
        self._cursor.close()
        self._connection.close()
        self._converter.close()


def _connect(database: str) -> sqlite3.Connection:
    import sqlite3

    try:
        connection = sqlite3.connect(database, check_same_thread=False, uri=database.startswith("file:"))
    except sqlite3.Error as error:
        code = _code_of(error) or 14
        raise _FailedQueryError(
            _CODES.get(code, errors_impl.UNKNOWN), f"Sqlite::Open({database}) failed: [{code}] {error}"
        ) from None
    connection.text_factory = bytes
    return connection


def _first_statement(text: str) -> str:
    import sqlite3

    end = text.find(";")
    while end >= 0 and not sqlite3.complete_statement(text[: end + 1]):
        end = text.find(";", end + 1)
    return text if end < 0 else text[: end + 1]


def _code_of(error: Exception) -> int:
    """SQLite's code of an error; 0 if Python does not tell it."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _failed(call: str, error: Exception, text: str) -> _FailedQueryError:
    code = _code_of(error) or (26 if "not a database" in str(error) else 1)
    return _FailedQueryError(_CODES.get(code, errors_impl.UNKNOWN), f"{call}() failed: [{code}] {error}: {text}")


def _take(number: int, database: str, text: str, row: int, columns: int) -> _Query:
    """The query of an iteration before that row: the open one, or a new one."""
    global _process
    with _lock:
        if _process != os.getpid():  # The connections belong to the parent.
            _process = os.getpid()
            _open.clear()
        query = _open.pop(number, None)
    if query is not None and query.row != row:
        query.close()
        query = None
    if query is None:
        query = _Query(database, text, columns)
        query.skip(row)
    return query


def _keep(number: int, query: _Query) -> None:
    with _lock:
        _open[number] = query
        oldest = _open.popitem(last=False)[1] if len(_open) > _MOST_OPEN else None
    if oldest is not None:
        oldest.close()


def read_rows(number: Any, database: Any, text: Any, row: Any, types: Any) -> list[Any]:
    """Reads rows of the result of a query.

    Args:
      number: int64 scalar that identifies the iteration.
      database: bytes, the name of a file.
      text: bytes, the query.
      row: int64 scalar, the number of the first row.
      types: int64 vector of the dtypes' numbers of the columns.

    Returns:
      An error code, the error's text, the number of rows, which is 0 at the end, and a vector for each column.
    """
    dtypes_of_columns = [dtypes.as_dtype(int(one)) for one in types]
    arrays = [np.dtype(one.as_numpy_dtype) for one in dtypes_of_columns]
    try:
        query = _take(int(number), _text_of(database), _text_of(text), int(row), len(arrays))
        try:
            columns = query.read(arrays)
        except BaseException:
            query.close()
            raise
    except _FailedQueryError as error:
        return [np.int64(error.code), error.text.encode(), np.int64(0)]
    count = len(columns[0]) if columns else 0
    if count > 0:
        _keep(int(number), query)
    else:
        query.close()
    made = [np.array(column, dtype) for column, dtype in zip(columns, arrays, strict=True)]
    return [np.int64(0), b"", np.int64(count), *(made if count > 0 else [])]


def _text_of(value: Any) -> str:
    raw = value if isinstance(value, bytes) else value.item() if hasattr(value, "item") else value
    return raw.decode(errors="surrogateescape") if isinstance(raw, bytes) else str(raw)


python_functions.register_as("sql_rows", read_rows)
