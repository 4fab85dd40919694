"""Fed integers that another thread or process changes meanwhile crash nothing: every row of the op table that has some."""

from pathlib import Path

import pytest
from op_table import all_rows
from row_worker import RowWorker

_WORKER = Path(__file__).with_name("changing_worker.py")


@pytest.fixture(scope="module")
def worker():
    worker = RowWorker(_WORKER)
    yield worker
    worker.stop()


@pytest.mark.parametrize("row", [name for name, _ in all_rows()])
def test_row(row, worker):
    wrong, _ = worker.check(row)
    if wrong:
        pytest.fail(f"{len(wrong)} cases of {row}:\n" + "\n".join(wrong[:6]), pytrace=False)
