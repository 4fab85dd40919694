"""Worker process of `test_rows_with_state.py`: runs rows of stateful ops, whose names it reads from stdin, with
hostile integers.
"""

from row_answers import answer  # isort: skip  before NumPy

from state_cases import check_hostile
from state_table import all_state_rows

if __name__ == "__main__":
    rows = dict(all_state_rows())
    answer(lambda name, starts, wrong: check_hostile(rows[name], starts, wrong))
