"""Fed integers that another thread or process changes meanwhile crash nothing: every row of the op table that has some."""

from pathlib import Path

from row_checks import check_by

worker, test_row = check_by(Path(__file__).with_name("changing_worker.py"))
