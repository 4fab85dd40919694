"""Sizes that overflow never crash, hang, or take memory that a message does not have: every row of the op table."""

from pathlib import Path

from row_checks import check_by

worker, test_row = check_by(Path(__file__).with_name("hostile_worker.py"))
