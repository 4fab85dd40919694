"""Worker process of `fuzz_readers.py`: runs the random cases requested by lines `kind|seed|first|count|each` on
stdin.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ops"))

from row_answers import Report, answer  # isort: skip  before NumPy

import logging

from reader_cases import Reading, check_case
from reader_kinds import KINDS, seeds_of

_MEMORY = 1 << 28  # limit beyond the memory needed to read valid files

if __name__ == "__main__":
    logging.getLogger("tinytf").setLevel(logging.CRITICAL)
    reading = Reading()

    def check(request: str, starts: Report, wrong: Report) -> None:
        kind, seed, first, count, each = request.split("|")
        for number in range(int(first), int(first) + int(count)):
            if each:
                starts(f"{kind}, seed {seed}, case {number}")
            text = check_case(reading, kind, int(seed), number)
            if text:
                wrong(f"{kind}, seed {seed}, case {number}: {text}")

    for kind in KINDS:
        for i in range(len(seeds_of(kind))):
            reading.sound(kind, i)
    try:
        answer(check, _MEMORY)
    finally:
        reading.close()
