"""Tries rows of the op table with hostile sizes, in a process with little memory: started by `test_hostile_sizes.py`.

Reads names of rows from stdin; `!` behind one says: only the numbers. Writes a line `? case` before each case, `! finding`
for each finding and `.` after each row, and when it is ready for the first.
"""

import os
import resource
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # its buffers would take the memory

import hostile_cases
from op_table import all_rows

_MEMORY = 1 << 30  # beyond what the process has at its start


def _limit_memory() -> None:
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + _MEMORY,) * 2)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    rows = dict(all_rows())
    _limit_memory()
    print(".", file=answers)

    def line(mark: str):
        return lambda text: print(mark, text.replace("\n", " "), file=answers)

    for name in sys.stdin:
        row, only_numbers, _ = name.strip().partition("!")
        hostile_cases.check_row(rows[row], line("?"), line("!"), hollow=not only_numbers)
        print(".", file=answers)


if __name__ == "__main__":
    main()
