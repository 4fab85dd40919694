"""The programs of `*_programs.txt` show what they show on TensorFlow 1.15.5: see `both.program_tests`."""

from pathlib import Path

import pytest
from both import program_tests

import tinytf as tf
from tinytf.client import lifetime

pytestmark = pytest.mark.filterwarnings("ignore:.*not closed:ResourceWarning")  # sessions of programs


@pytest.fixture(autouse=True)
def _logger():
    """Is left as it was: programs look at what is logged."""
    logger = tf.get_logger()
    before = logger.level, list(logger.handlers), logger.propagate
    yield
    logger.setLevel(before[0])
    logger.handlers[:], logger.propagate = before[1:]
    for session in lifetime.open_sessions():  # that the program has not closed
        session.close()
    tf.summary.FileWriterCache.clear()


test_as_in_tensorflow, test_every_outcome_is_of_a_program, test_tensorflow_shows_what_is_kept = program_tests(
    Path(__file__).parent
)
