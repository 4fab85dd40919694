"""Fed integers that another process changes during a step never crash an op: every row of the op table with integer
inputs.
"""

from pathlib import Path

from hostile_cases import has_integers
from op_table import runnable_rows
from row_checks import check_by

_ROWS = [name for name, row in runnable_rows() if has_integers(row)]

worker, test_row = check_by(Path(__file__).with_name("changing_worker.py"), _ROWS)
