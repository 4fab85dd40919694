"""Parsers of Examples, records and strings give the values or errors of TensorFlow 1.15.5."""

import json
from pathlib import Path

import changed_examples
import pytest
from parsing_programs import outcome, programs

import tinytf as tf

PROGRAMS = programs(tf)
# Outcomes of TensorFlow 1.15.5, printed by parsing_programs.py.
OF_1_15 = json.loads(Path(__file__).with_name("parsing_of_1_15.json").read_text())


@pytest.mark.parametrize("name", PROGRAMS)
def test_like_tensorflow(name):
    assert outcome(tf, PROGRAMS[name]) == OF_1_15[name]


def test_no_program_is_left_out():
    assert OF_1_15.keys() == PROGRAMS.keys()


@pytest.mark.oracle
def test_the_table_is_1_15s(oracle1):
    module = Path(__file__).with_name("parsing_programs.py").read_text()
    ask = "result = {name: outcome(tf, build) for name, build in programs(tf).items()}"
    assert oracle1(f"__name__ = 'programs'\n{module}\n{ask}") == OF_1_15


@pytest.mark.oracle
def test_changed_examples_are_parsed_as_in_tensorflow(oracle1):
    serialized = changed_examples.examples(tf, 400, seed=1)
    here = {}
    exec(changed_examples.PARSE_ALL, here)
    found = here["parse_all"](tf, serialized)
    wanted = oracle1(changed_examples.PARSE_ALL + "result = parse_all(tf, serialized)", serialized=serialized)
    assert [i for i, (mine, theirs) in enumerate(zip(found, wanted, strict=True)) if mine != theirs] == []
    assert 0 < sum(text.startswith("[[") for text in found) < len(found)
