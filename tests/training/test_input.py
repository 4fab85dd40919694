"""Queue-based input pipelines give the values and errors of TensorFlow 1.15.5."""

import json
from pathlib import Path

import pytest
from input_programs import outcome, programs

import tinytf as tf

PROGRAMS = programs(tf)
# Outcomes of TensorFlow 1.15.5, printed by input_programs.py.
OF_1_15 = json.loads(Path(__file__).with_name("inputs_of_1_15.json").read_text())


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_tensorflow(name):
    assert outcome(tf, PROGRAMS[name]) == OF_1_15[name]


def test_no_program_is_left_out():
    assert OF_1_15.keys() == PROGRAMS.keys()


@pytest.mark.oracle
def test_the_table_is_1_15s(oracle1):
    module = Path(__file__).with_name("input_programs.py").read_text()
    ask = "result = {name: outcome(tf, each) for name, each in programs(tf).items()}"
    assert oracle1(f"__name__ = 'programs'\n{module}\n{ask}") == OF_1_15
