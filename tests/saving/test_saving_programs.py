"""The programs of `*_programs.txt`: each value and each error is what TensorFlow 1.15.5 shows, as `outcomes_of_1_15.json`
keeps it. `TINYTF_RECORD=1` writes what TensorFlow says, where there is one."""

import json
import os
from pathlib import Path

import pytest
from both import all_programs, outcomes_here, outcomes_there

import tinytf as tf
from tinytf.framework.execution import eager_mode

_FOLDER = Path(__file__).parent
_KEPT = _FOLDER / "outcomes_of_1_15.json"
_PROGRAMS = all_programs(_FOLDER)
_OUTCOMES = json.loads(_KEPT.read_text()) if _KEPT.exists() else {}


@pytest.fixture(scope="module", autouse=True)
def _eager_session():
    """The thread that the process has for eager execution outlives the tests: no program is blamed for it."""
    with eager_mode():
        tf.Variable(1.0)


@pytest.fixture(autouse=True)
def _verbosity():
    """Is left as it was."""
    before = tf.logging.get_verbosity()
    yield
    tf.logging.set_verbosity(before)


@pytest.mark.parametrize("title", _PROGRAMS)
def test_as_in_tensorflow(title):
    assert _OUTCOMES[title]
    assert outcomes_here(_PROGRAMS[title]) == _OUTCOMES[title]


def test_every_outcome_is_of_a_program():
    assert set(_OUTCOMES) == set(_PROGRAMS)


@pytest.mark.oracle
def test_tensorflow_shows_what_is_kept(oracle1):
    shown = {title: outcomes_there(oracle1, program) for title, program in _PROGRAMS.items()}
    if os.environ.get("TINYTF_RECORD"):
        _KEPT.write_text(json.dumps(shown, indent=1) + "\n")
    assert json.loads(_KEPT.read_text()) == shown
