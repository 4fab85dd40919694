"""Worker process of `test_dataset_rows.py`: makes datasets of rows, whose names it reads from stdin, of hostile inputs."""

from row_answers import answer  # isort: skip  before NumPy

from data_cases import check_hostile
from data_table import all_dataset_rows

if __name__ == "__main__":
    rows = dict(all_dataset_rows())
    answer(lambda name, starts, wrong: check_hostile(rows[name], starts, wrong))
