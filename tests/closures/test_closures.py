"""Functions, branches and loops use the enclosing graph as TensorFlow 1.15.5 does: captured tensors have gradients,
and they share its scopes and collections. The programs are in `*_programs.txt`; see `both.program_tests`.
"""

from pathlib import Path

import pytest
from both import program_tests

pytestmark = pytest.mark.usefixtures("eager_session_of_the_process")

test_as_in_tensorflow, test_every_outcome_is_of_a_program, test_tensorflow_shows_what_is_kept = program_tests(
    Path(__file__).parent
)
