"""The programs of `*_programs.txt` show the same as on TensorFlow 1.15.5; see `both.program_tests`."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from both import program_tests


@pytest.fixture(autouse=True)
def _numbers_as_in_1_15():
    """Makes NumPy print scalars without their type, and undoes warning filters that programs set."""
    with np.printoptions(legacy="1.25"), warnings.catch_warnings():
        yield


test_as_in_tensorflow, test_every_outcome_is_of_a_program, test_tensorflow_shows_what_is_kept = program_tests(
    Path(__file__).parent
)
