"""Runs random cases, in a process of its own: started by `fuzz.py`.

Reads lines `row seed first count` from stdin, and answers as `row_worker.RowWorker` says.
"""

import os
import sys
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # its buffers would take the memory
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ops"))

from hostile_worker import limit_memory
from op_table import all_rows
from random_cases import check_case


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    rows = dict(all_rows())
    limit_memory()
    print(".", file=answers)

    def line(mark: str):
        return lambda text: print(mark, text.replace("\n", " "), file=answers)

    for request in sys.stdin:
        name, seed, first, count = request.split()
        for number in range(int(first), int(first) + int(count)):
            check_case(name, rows[name], int(seed), number, line("?"), line("!"))
        print(".", file=answers)


if __name__ == "__main__":
    main()
