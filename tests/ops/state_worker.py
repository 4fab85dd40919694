"""Tries rows of ops with state with hostile integers: started by `test_rows_with_state.py`, reads names of rows."""

from row_answers import answer  # isort: skip  before NumPy

from state_cases import check_hostile
from state_table import all_state_rows

if __name__ == "__main__":
    rows = dict(all_state_rows())
    answer(lambda name, starts, wrong: check_hostile(rows[name], starts, wrong))
