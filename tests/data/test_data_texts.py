"""The programs of `*_programs.txt` show the same as on TensorFlow 1.15.5; see `both.program_tests`."""

from pathlib import Path

from both import program_tests

test_as_in_tensorflow, test_every_outcome_is_of_a_program, test_tensorflow_shows_what_is_kept = program_tests(
    Path(__file__).parent
)
