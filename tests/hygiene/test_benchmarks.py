"""The benchmarks run: three cases, briefly, with tinytf only."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CASES = ["null_run", "session_run", "sgemm_64"]


@pytest.fixture(scope="module")
def table():
    command = [sys.executable, str(BENCHMARKS / "run.py"), "--json", "--no-history", "--peers"]
    command += ["--rounds", "1", "--seconds", "0.01", "--only", *CASES]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (result,) = json.loads(done.stdout)
    return {row["case"]: row for row in result["rows"]}


@pytest.mark.parametrize("case", CASES)
def test_a_case_has_figures(table, case):
    figures = table[case]["figures"]["tinytf"]
    assert 0 < figures["min"] <= figures["median"]


def test_without_peers_there_are_no_ratios(table):
    assert table["null_run"]["best_peer"] is None and table["null_run"]["ratio_best"] is None
