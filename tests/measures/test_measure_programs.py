"""Programs with metrics, sets, sparse tensors and losses show the same as on TensorFlow 1.15."""

from pathlib import Path

import pytest
from both import program_tests

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager_session_of_the_process")


@pytest.fixture(autouse=True)
def _as_before():
    """Restores the log level and clears cached file writers, which otherwise live until the process ends."""
    before = tf.logging.get_verbosity()
    yield
    tf.logging.set_verbosity(before)
    tf.summary.FileWriterCache.clear()


test_as_in_tensorflow, test_every_outcome_is_of_a_program, test_tensorflow_shows_what_is_kept = program_tests(
    Path(__file__).parent
)
