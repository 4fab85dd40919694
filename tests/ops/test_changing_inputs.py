"""Fed integers that another process changes during a step never crash an op: every row of the op table with integer
inputs.
"""

from pathlib import Path

from row_checks import check_by

worker, test_row = check_by(Path(__file__).with_name("changing_worker.py"))
