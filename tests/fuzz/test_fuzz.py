"""A few random cases of every row pass; `make fuzz` runs more of them under sanitizers."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ops"))

from case_share import ALL_CASES
from fuzz import WORKER, cases_of
from row_checks import every_row, worker_of

_SEED = int(os.environ.get("TINYTF_SEED", "20261123"))
_CASES = 40 if ALL_CASES else 10


worker = worker_of(WORKER)


@every_row
def test_row(row, worker):
    wrong = cases_of(worker, row, _SEED, 0, _CASES)
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)
