"""Worker process of `test_changing_inputs.py`: runs op-table rows, whose names it reads from stdin, with changing
integers.
"""

from row_answers import answer  # isort: skip  before NumPy

from changing_cases import ChangingMemory, check_row
from op_table import runnable_rows

if __name__ == "__main__":
    rows = dict(runnable_rows())
    memory = ChangingMemory()
    try:
        answer(lambda name, starts, wrong: check_row(rows[name], memory, starts, wrong))
    finally:
        memory.stop()
