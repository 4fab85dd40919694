"""Each program of `programs.txt`, and of `dataset_programs.txt` with datasets, shows the same values and errors as on
TensorFlow 1.15.5.

The expected output is kept in `outcomes_of_1_15.json`. If a TensorFlow is installed, it is compared with that output,
too; `TINYTF_RECORD=1` records it. Programs of `more_programs.txt` run on tinytf only and contain their expected output.
"""

import json
import os
import re
from pathlib import Path

import pytest
from both_autographs import all_programs, outcomes_here, outcomes_there

_FOLDER = Path(__file__).parent
_KEPT = _FOLDER / "outcomes_of_1_15.json"
_PROGRAMS = {**all_programs(_FOLDER / "programs.txt"), **all_programs(_FOLDER / "dataset_programs.txt")}
_MORE = all_programs(_FOLDER / "more_programs.txt")
_OUTCOMES = json.loads(_KEPT.read_text()) if _KEPT.exists() else {}


@pytest.mark.parametrize("title", _PROGRAMS)
def test_as_in_tensorflow(title):
    assert _OUTCOMES[title]
    assert outcomes_here(_PROGRAMS[title]) == _OUTCOMES[title]


def test_every_outcome_is_of_a_program():
    assert set(_OUTCOMES) == set(_PROGRAMS)


@pytest.mark.parametrize("title", _MORE)
def test_beyond_tensorflow(title):
    expected = re.findall(r"# shows (.*)$", _MORE[title], flags=re.MULTILINE)
    assert expected
    assert outcomes_here(_MORE[title]) == expected


@pytest.mark.oracle
def test_tensorflow_shows_what_is_kept(oracle1):
    shown = {title: outcomes_there(oracle1, program) for title, program in _PROGRAMS.items()}
    if os.environ.get("TINYTF_RECORD"):
        _KEPT.write_text(json.dumps(shown, indent=1) + "\n")
    assert json.loads(_KEPT.read_text()) == shown
