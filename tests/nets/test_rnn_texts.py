"""Attributes and error messages of cells and networks equal TensorFlow 1.15.5's."""

import json
from pathlib import Path

import pytest
from rnn_expressions import EXPRESSIONS, RECORDED, outcome

import tinytf as tf

OF_1_15 = json.loads(RECORDED.read_text())


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_outcome_is_1_15s(expression):
    assert outcome(tf, expression) == OF_1_15[expression]


def test_no_expression_is_left_out():
    assert list(OF_1_15) == list(dict.fromkeys(EXPRESSIONS))


@pytest.mark.oracle
def test_the_texts_are_1_15s(oracle1):
    module = Path(__file__).with_name("rnn_expressions.py")
    source = f"__file__ = {str(module)!r}\n" + module.read_text().replace('__name__ == "__main__"', "False")
    assert oracle1(source + "\nresult = {one: outcome(tf, one) for one in EXPRESSIONS}") == OF_1_15
