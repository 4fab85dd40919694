"""The programs of `*_programs.txt`: each value and each error is what TensorFlow 1.15.5 shows, as `outcomes_of_1_15.json`
keeps it. `TINYTF_RECORD=1` writes what TensorFlow says, where there is one."""

import json
import os
from pathlib import Path

import pytest
from both import all_programs, outcomes_here, outcomes_there

import tinytf as tf
from tinytf.client import lifetime

pytestmark = pytest.mark.filterwarnings("ignore:.*not closed:ResourceWarning")  # sessions of programs

_FOLDER = Path(__file__).parent
_KEPT = _FOLDER / "outcomes_of_1_15.json"
_PROGRAMS = all_programs(_FOLDER)
_OUTCOMES = json.loads(_KEPT.read_text()) if _KEPT.exists() else {}


@pytest.fixture(autouse=True)
def _logger():
    """Is left as it was: programs look at what is logged."""
    logger = tf.get_logger()
    before = logger.level, list(logger.handlers), logger.propagate
    yield
    logger.setLevel(before[0])
    logger.handlers[:], logger.propagate = before[1:]
    tf.summary.FileWriterCache.clear()
    for session in lifetime.open_sessions():  # that the program has not closed
        session.close()


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
