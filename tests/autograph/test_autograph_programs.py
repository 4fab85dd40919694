"""The programs of `programs.txt`: each value and each error is what TensorFlow 1.15.5 shows.

What that shows is kept in `outcomes_of_1_15.json`. Where there is a TensorFlow it is asked whether that is still true;
`TINYTF_RECORD=1` writes what it says. Programs of `more_programs.txt` work here only: they say themselves what they show.
"""

import json
import os
import re
from pathlib import Path

import pytest
from both_autographs import all_programs, outcomes_here, outcomes_there

_FOLDER = Path(__file__).parent
_KEPT = _FOLDER / "outcomes_of_1_15.json"
_PROGRAMS = all_programs(_FOLDER / "programs.txt")
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
