"""Worker process of `test_hostile_sizes.py`: runs op-table rows, whose names it reads from stdin, with hostile
sizes.
"""

from row_answers import answer  # isort: skip  before NumPy

import hostile_cases
from op_table import runnable_rows

if __name__ == "__main__":
    rows = dict(runnable_rows())
    answer(lambda name, starts, wrong: hostile_cases.check_row(rows[name], starts, wrong))
