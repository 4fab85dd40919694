"""Recurrent networks give the values of TensorFlow 1.15.5, including seeded initial values and dropout, gradients
and training.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from rnn_programs import PROGRAMS, RECORDED, values

import tinytf as tf

OF_1_15 = json.loads(RECORDED.read_text())


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_are_1_15s(name):
    found = values(tf, PROGRAMS[name])
    wanted = OF_1_15[name]
    assert [[str(v.dtype), list(v.shape)] for v in found] == [[dtype, shape] for dtype, shape, _ in wanted]
    for value, (_, _, numbers) in zip(found, wanted, strict=True):
        np.testing.assert_allclose(value.ravel(), numbers, rtol=2e-5, atol=2e-6)


def test_no_program_is_left_out():
    assert list(OF_1_15) == list(PROGRAMS)


def test_training_gets_somewhere():
    for name in PROGRAMS:
        if name.startswith("training"):
            losses = OF_1_15[name][0][2]
            assert losses[-1] < losses[0]


@pytest.mark.oracle
def test_the_values_are_1_15s(oracle1):
    module = Path(__file__).with_name("rnn_programs.py")
    source = f"__file__ = {str(module)!r}\n" + module.read_text().replace('__name__ == "__main__"', "False")
    ask = "\nresult = {name: [v.ravel().tolist() for v in values(tf, p)] for name, p in PROGRAMS.items()}"
    for name, found in oracle1(source + ask).items():
        for value, (_, _, numbers) in zip(found, OF_1_15[name], strict=True):
            np.testing.assert_allclose(value, numbers, rtol=1e-5, atol=1e-6)
