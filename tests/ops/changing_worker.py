"""Tries rows of the op table with integers that change: started by `test_changing_inputs.py`, reads names of rows."""

from row_answers import answer  # isort: skip  before NumPy

from changing_cases import ChangingMemory, check_row
from op_table import all_rows

if __name__ == "__main__":
    rows = dict(all_rows())
    memory = ChangingMemory()
    try:
        answer(lambda name, starts, wrong: check_row(rows[name], memory, starts, wrong))
    finally:
        memory.stop()
