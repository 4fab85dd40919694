"""Layers that create variables directly, and layers with variable scopes, behave as in TensorFlow 1.15."""

from pathlib import Path

from both import program_tests

test_as_in_tensorflow, test_every_outcome_is_of_a_program, test_tensorflow_shows_what_is_kept = program_tests(
    Path(__file__).parent
)
