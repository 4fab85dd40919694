"""Overflowing sizes never crash, hang or allocate memory without an error, for every row of the op table."""

from pathlib import Path

from row_checks import check_by

worker, test_row = check_by(Path(__file__).with_name("hostile_worker.py"))
