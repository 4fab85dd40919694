"""Barriers, staging areas, accumulators, batches and servers do what they do in TensorFlow 1.15.5."""

from pathlib import Path

import pytest
from both import program_tests

# The thread that takes gradients for a chief is in a step when its session is closed, and ends with that error, which it
# shows.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")

(
    test_as_in_tensorflow,
    test_every_outcome_is_of_a_program,
    test_tensorflow_shows_what_is_kept,
) = program_tests(Path(__file__).parent)
