"""Makes tests that check all rows of the op table in a worker process, which is started once per test file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from op_table import runnable_rows
from row_worker import RowWorker

_SHOWN = 6

every_row = pytest.mark.parametrize("row", [name for name, _ in runnable_rows()])


def worker_of(script: Path) -> Any:
    """Returns the fixture `worker` for the script."""

    @pytest.fixture(scope="module")
    def worker():
        worker = RowWorker(script)
        yield worker
        worker.stop()

    return worker


def check_by(script: Path, rows: list[str] | None = None) -> tuple[Any, Callable[..., None]]:
    """Returns the fixture `worker` and a test that checks each of the rows, or every row, with it."""

    @(every_row if rows is None else pytest.mark.parametrize("row", rows))
    def test_row(row, worker):
        wrong, _ = worker.check(row)
        if wrong:
            pytest.fail(f"{len(wrong)} cases of {row}:\n" + "\n".join(wrong[:_SHOWN]), pytrace=False)

    return worker_of(script), test_row
