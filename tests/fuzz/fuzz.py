"""Searches for inputs, attrs and graphs that crash, hang, or give results that depend on the way of execution.

  python tests/fuzz/fuzz.py [--minutes 5] [--seed N] [--only MatMul,Conv2D] [--jobs 2]
  python tests/fuzz/fuzz.py --only MatMul-0 --seed N --case 17          repeats one case

Cases are random mutations of the rows of the op table (`mutations.py`), determined by row, seed and number. Each
finding is printed once, with the command that reproduces it; the exit status is nonzero if there are any.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ops"))

from op_table import runnable_rows
from row_worker import RowWorker
from state_table import all_state_rows

WORKER = Path(__file__).with_name("fuzz_worker.py")
_BATCH = 20  # cases per row and turn


def cases_of(worker: RowWorker, row: str, seed: int, first: int, count: int) -> list[str]:
    """The failures of `count` cases of a row; after a case that ended the worker process, the remaining cases run."""
    found = []
    while count > 0:
        wrong, ended_at = worker.check(f"{row} {seed} {first} {count}")
        found += wrong
        if ended_at is None:
            break
        number = int(ended_at.split(", case ")[1].split(",")[0]) if ", case " in ended_at else first
        count -= number + 1 - first
        first = number + 1
    return found


class _Search:
    """Runs rows in turn on several workers until the time is over."""

    def __init__(self, rows: list[str], seed: int, seconds: float) -> None:
        self._rows = rows
        self._seed = seed
        self._end = time.monotonic() + seconds
        self._lock = threading.Lock()
        self._turn = 0
        self.findings: list[str] = []

    def run(self) -> None:
        worker = RowWorker(WORKER)
        while time.monotonic() < self._end:
            with self._lock:
                turn, self._turn = self._turn, self._turn + 1
            row, first = self._rows[turn % len(self._rows)], turn // len(self._rows) * _BATCH
            for finding in cases_of(worker, row, self._seed, first, _BATCH):
                with self._lock:
                    self.findings.append(finding)
                    print(f"  {finding}", flush=True)
        worker.stop()

    def cases(self) -> int:
        return self._turn * _BATCH


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="rows or ops, with commas between")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--case", type=int, help="only this case of each row")
    options = parser.parse_args()
    wanted = {name for name in options.only.split(",") if name}
    both = itertools.chain(runnable_rows(), all_state_rows())
    rows = [name for name, row in both if not wanted or wanted & {name, row.op}]
    if options.case is not None:
        worker = RowWorker(WORKER)
        findings = [text for row in rows for text in cases_of(worker, row, options.seed, options.case, 1)]
        worker.stop()
        print("\n".join(findings) or "nothing wrong")
        return bool(findings)
    print(f"{len(rows)} rows for {options.minutes:g} minutes, seed {options.seed}")
    search = _Search(rows, options.seed, 60 * options.minutes)
    threads = [threading.Thread(target=search.run) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{search.cases()} cases, {len(search.findings)} findings")
    return bool(search.findings)


if __name__ == "__main__":
    sys.exit(main())
