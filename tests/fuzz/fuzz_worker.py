"""Worker process of `fuzz.py`: runs the random cases requested by lines `row seed first count` on stdin."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ops"))

from row_answers import Report, answer  # isort: skip  before NumPy

from op_table import runnable_rows
from random_cases import check_case
from random_states import check_state
from state_table import all_state_rows

if __name__ == "__main__":
    rows, state_rows = dict(runnable_rows()), dict(all_state_rows())

    def check(request: str, starts: Report, wrong: Report) -> None:
        name, seed, first, count = request.split()
        for number in range(int(first), int(first) + int(count)):
            if name in rows:
                check_case(name, rows[name], int(seed), number, starts, wrong)
            else:
                check_state(name, state_rows[name], int(seed), number, starts, wrong)

    answer(check)
