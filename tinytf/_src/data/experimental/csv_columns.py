"""The names and types of the columns of CSV files, which the files tell."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes


class CsvFiles:
    """CSV files of the same form. Reading them raises the errors of `opened`, and csv.Error for malformed rows.

    Args:
      names: list of str.
      delimiter: str, the character between fields.
      has_quotes: bool, whether quotation marks enclose fields.
      opened: returns a context manager of the open text file, given a name.
    """

    def __init__(self, names: list[str], delimiter: str, has_quotes: bool, opened: Callable[[str], Any]) -> None:
        self._names = names
        self._opened = opened
        self._form: dict[str, Any] = {
            "delimiter": delimiter,
            "quoting": csv.QUOTE_MINIMAL if has_quotes else csv.QUOTE_NONE,
        }

    def column_names(self) -> list[str]:
        """Returns the first row. ValueError if a file is empty, or if files differ in it."""
        first, *others = self._names
        names = self._header(first)
        for name in others:
            if self._header(name) != names:
                raise ValueError("Files have different column names in the header row.")
        return names

    def _header(self, name: str) -> list[str]:
        with self._opened(name) as file:
            for row in csv.reader(file, **self._form):
                return row
        message = f"Received StopIteration when reading the header line of {self._names[0]}.  Empty file?"
        raise ValueError(message)

    def rows(self, columns: int, has_header: bool) -> Iterator[list[str]]:
        """Yields the rows of all files. ValueError if one has another number of fields than `columns`."""
        for name in self._names:
            with self._opened(name) as file:
                for row in itertools.islice(csv.reader(file, **self._form), int(has_header), None):
                    if len(row) != columns:
                        raise ValueError(
                            "Problem inferring types: CSV row has different number of fields than expected."
                        )
                    yield row


def inferred_defaults(
    rows: Iterator[list[str]], selected: list[int], na_value: str, most_rows: int | None
) -> list[Any]:
    """Returns a default of the type of each selected column: the narrowest one that fits the fields of the first
    `most_rows` rows, or of all rows if that is None."""
    types: list[Any] = [None] * len(selected)
    for row in itertools.islice(rows, most_rows):
        types = [_widened(row[column], na_value, dtype) for column, dtype in zip(selected, types)]
    return [
        constant([""], dtype=dtypes.string) if dtype in (None, dtypes.string) else constant([0], dtype=dtype)
        for dtype in types
    ]


def _widened(field: str, na_value: str, dtype: Any) -> Any:
    """Returns the narrowest type that is not narrower than `dtype` and fits the field; None if no field was read."""
    if field in ("", na_value):
        return dtype
    candidates = _WIDENING if dtype is None else _WIDENING[[each for each, _ in _WIDENING].index(dtype) :]
    return next(each for each, fits in candidates if fits(field))


def _is_int32(field: str) -> bool:
    return _is_int64(field) and -(2**31) <= int(field) < 2**31


def _is_int64(field: str) -> bool:
    try:
        return -(2**63) <= int(field) < 2**63
    except ValueError:
        return False


def _is_float32(field: str) -> bool:
    return _is_below_infinity(field, np.float32)


def _is_float64(field: str) -> bool:
    return _is_below_infinity(field, np.float64)


def _is_below_infinity(field: str, kind: Any) -> bool:
    try:
        with np.errstate(over="ignore"):
            return bool(kind(field) < np.inf)
    except ValueError:
        return False


def _is_text(field: str) -> bool:
    return True


_WIDENING: list[tuple[Any, Callable[[str], bool]]] = [
    (dtypes.int32, _is_int32),
    (dtypes.int64, _is_int64),
    (dtypes.float32, _is_float32),
    (dtypes.float64, _is_float64),
    (dtypes.string, _is_text),
]


def column_numbers(select_columns: list[Any], column_names: list[str]) -> list[int]:
    """Returns the sorted numbers of columns that are given by numbers or names. ValueError if one does not exist, or
    comes twice."""
    numbers = sorted({_column_number(column, column_names) for column in select_columns})
    if len(numbers) != len(select_columns):
        raise ValueError("select_columns contains duplicate columns")
    return numbers


def _column_number(column: Any, column_names: list[str]) -> int:
    if isinstance(column, int):
        if not 0 <= column < len(column_names):
            raise ValueError(f"Column index {column} specified in select_columns out of valid range.")
        return column
    if column not in column_names:
        raise ValueError(f"Value '{column}' specified in select_columns not a valid column index or name.")
    return len(column_names) - 1 - column_names[::-1].index(column)
