"""Parsers of Examples, records and strings give the values or errors of TensorFlow 1.15.5."""

import changed_examples
import parsing_programs
import pytest
from recorded import recorded

import tinytf as tf

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    parsing_programs, "parsing_of_1_15.json"
)


@pytest.mark.oracle
def test_changed_examples_are_parsed_as_in_tensorflow(oracle1):
    serialized = changed_examples.examples(tf, 400, seed=1)
    here = {}
    exec(changed_examples.PARSE_ALL, here)
    found = here["parse_all"](tf, serialized)
    wanted = oracle1(changed_examples.PARSE_ALL + "result = parse_all(tf, serialized)", serialized=serialized)
    assert [i for i, (mine, theirs) in enumerate(zip(found, wanted, strict=True)) if mine != theirs] == []
    assert 0 < sum(text.startswith("[[") for text in found) < len(found)
