"""Tries rows of the op table with hostile sizes: started by `test_hostile_sizes.py`, reads names of rows."""

from row_answers import answer  # isort: skip  before NumPy

import hostile_cases
from op_table import all_rows

if __name__ == "__main__":
    rows = dict(all_rows())
    answer(lambda name, starts, wrong: hostile_cases.check_row(rows[name], starts, wrong))
