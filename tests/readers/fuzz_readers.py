"""Searches for files and messages that crash or hang their readers, cost too much, or are wrongly accepted.

  python tests/readers/fuzz_readers.py [--minutes 5] [--seed N] [--only bundle,early] [--jobs 2] [--keep FOLDER]
  python tests/readers/fuzz_readers.py --only bundle --seed N --case 17          repeats one case

Cases are mutations of valid files (`reader_kinds.py`), determined by kind, seed and number. Each finding is printed
once, with the command that reproduces it, and its files are written to a folder; the exit status is nonzero if there
are any.
"""

from __future__ import annotations

import argparse
import re
import sys
import threading
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ops"))

from reader_cases import files_of
from reader_kinds import KINDS
from row_worker import RowWorker

_WORKER = Path(__file__).with_name("reader_worker.py")
_BATCH = 400  # cases per kind and turn; slower kinds get fewer


def new_worker() -> RowWorker:
    return RowWorker(_WORKER)


def batch_of(kind: str) -> int:
    return _BATCH // KINDS[kind].every


def cases_of(worker: RowWorker, kind: str, seed: int, first: int, count: int) -> list[str]:
    """The failures of `count` cases. If a case ended the worker process, the cases run again, each announced, and
    the rest continues after it.
    """
    wrong, ended_at = worker.check(f"{kind}|{seed}|{first}|{count}|")
    if ended_at is None:
        return wrong
    found: list[str] = []
    end = first + count
    while first < end:
        wrong, ended_at = worker.check(f"{kind}|{seed}|{first}|{end - first}|each")
        found += wrong
        if ended_at is None:
            return found or [f"{kind}, seed {seed}, cases up to {end}: ended the process, and did not again"]
        if ", case " not in ended_at:
            return found
        first = int(ended_at.rpartition(" ")[2]) + 1
    return found


def keep_files(folder: Path, finding: str) -> None:
    """Writes the files of the case named in a finding."""
    case = re.match(r"(.+), seed (\d+), case (\d+): ", finding)
    if case is None:
        return
    kind, seed, number = case[1], int(case[2]), int(case[3])
    into = folder / f"{kind.replace(' ', '_')}-{seed}-{number}"
    into.mkdir(parents=True, exist_ok=True)
    for name, content in files_of(kind, seed, number)[0].items():
        (into / name).write_bytes(content)
    print(f"    its files: {into}", flush=True)


class _Search:
    """Runs kinds in turn on several workers until the time is over."""

    def __init__(self, kinds: list[str], seed: int, seconds: float, keep: Path) -> None:
        self._kinds, self._seed, self._keep = kinds, seed, keep
        self._end = time.monotonic() + seconds
        self._lock = threading.Lock()
        self._turn = 0
        self.cases: Counter[str] = Counter()
        self.findings = 0

    def run(self) -> None:
        worker = new_worker()
        while time.monotonic() < self._end:
            with self._lock:
                turn, self._turn = self._turn, self._turn + 1
            kind = self._kinds[turn % len(self._kinds)]
            count = batch_of(kind)
            found = cases_of(worker, kind, self._seed, turn // len(self._kinds) * count, count)
            with self._lock:
                self.cases[kind] += count
                self.findings += len(found)
                for finding in found:
                    print(f"  {finding}", flush=True)
                    keep_files(self._keep, finding)
        worker.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="kinds, with commas between")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--case", type=int, help="only this case of each kind")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz_readers"), help="where files of findings go")
    options = parser.parse_args()
    kinds = options.only.split(",") if options.only else list(KINDS)
    if options.case is not None:
        worker = new_worker()
        findings = [text for kind in kinds for text in cases_of(worker, kind, options.seed, options.case, 1)]
        worker.stop()
        print("\n".join(findings) or "nothing wrong")
        return bool(findings)
    print(f"{len(kinds)} kinds of files for {options.minutes:g} minutes, seed {options.seed}", flush=True)
    search = _Search(kinds, options.seed, 60 * options.minutes, options.keep)
    threads = [threading.Thread(target=search.run) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(", ".join(f"{kind} {count}" for kind, count in search.cases.items()))
    print(f"{search.cases.total()} cases, {search.findings} findings")
    return bool(search.findings)


if __name__ == "__main__":
    sys.exit(main())
