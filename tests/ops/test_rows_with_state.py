"""Stateful ops of the session give the expected results, and leave the state unchanged if an allocation fails or
integers are invalid.
"""

from pathlib import Path

import pytest
from row_checks import worker_of
from state_cases import check_files, check_row, check_types, check_without_memory, types_of
from state_table import all_state_rows

from tinytf import _core

_SHOWN = 6
_ROWS = [pytest.param(row, id=name) for name, row in all_state_rows()]

worker = worker_of(Path(__file__).with_name("state_worker.py"))


@pytest.mark.parametrize("row", _ROWS)
def test_what_it_does(row):
    check_row(row)


@pytest.mark.parametrize("row", [row for row in _ROWS if getattr(row.values[0], "missing", None)])
def test_missing_and_damaged_files(row):
    check_files(row)


@pytest.mark.parametrize("row", [row for row in _ROWS if types_of(row.values[0])])
def test_other_types(row):
    check_types(row)


# Pulls between steps that lack memory fail, and the next step of the device gets the error. That no element is lost is
# tested with the iterator.
_IN_BACKGROUND = {"MultiDeviceIteratorGetNextFromShard"}


@pytest.mark.hooks
@pytest.mark.parametrize(
    "row",
    [row for row in _ROWS if row.values[0].needs_memory is not False and row.values[0].op not in _IN_BACKGROUND],
)
def test_without_memory_nothing_is_half_applied(row):
    try:
        assert check_without_memory(row) > 0 or row.needs_memory is None, "nothing is requested, so nothing is tested"
    finally:
        _core.testing.fail_allocation(-1)


@pytest.mark.parametrize("row", [name for name, _ in all_state_rows()])
def test_refused_integers_change_nothing(row, worker):
    wrong, _ = worker.check(row)
    if wrong:
        pytest.fail(f"{len(wrong)} cases of {row}:\n" + "\n".join(wrong[:_SHOWN]), pytrace=False)
