"""Datasets have the expected elements in all ways of execution, and from saved positions; ends of steps and sessions,
failing memory requests and hostile inputs do not harm.
"""

from pathlib import Path

import data_cases
import pytest
from data_table import all_dataset_rows
from row_checks import worker_of

from tinytf import _core

_SHOWN = 6
_ROWS = [pytest.param(row, id=name) for name, row in all_dataset_rows()]

every_row = pytest.mark.parametrize("row", _ROWS)
worker = worker_of(Path(__file__).with_name("data_worker.py"))


@pytest.mark.parametrize("threads", [1, 4])
@every_row
def test_steps(row, threads):
    data_cases.check_steps(row, threads)


@pytest.mark.parametrize(
    ("row", "name"),
    [
        pytest.param(row, name, id=f"{name}-{number}")
        for number, (_, row) in enumerate(all_dataset_rows())
        for name in row.other_names
    ],
)
def test_earlier_names(row, name):
    data_cases.check_steps(row.named(name), 1)


@every_row
def test_graph_def_round_trip(row):
    data_cases.check_graph_def(row)


@every_row
def test_eager_operations(row):
    data_cases.check_eager(row)


@every_row
def test_functions(row):
    data_cases.check_function(row)


@pytest.mark.parametrize("row", [row for row in _ROWS if row.values[0].saves])
def test_positions(row, tmp_path):
    data_cases.check_positions(row, str(tmp_path))


@every_row
def test_cancelled_steps(row):
    data_cases.check_ended_steps(row)


@every_row
def test_closed_sessions(row):
    data_cases.check_closed_sessions(row)


@every_row
def test_forked_children(row):
    data_cases.check_child(row)


@pytest.mark.hooks
@every_row
def test_without_memory(row):
    try:
        assert data_cases.check_without_memory(row) > 0 or not row.needs_memory, "nothing is requested"
    finally:
        _core.testing.fail_allocation(-1)


@pytest.mark.parametrize("row", [name for name, _ in all_dataset_rows()])
def test_hostile_inputs(row, worker):
    wrong, _ = worker.check(row)
    if wrong:
        pytest.fail(f"{len(wrong)} cases of {row}:\n" + "\n".join(wrong[:_SHOWN]), pytrace=False)
