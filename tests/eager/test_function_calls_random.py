"""Random sequences of calls of traced functions have as many traces after each call as in TensorFlow."""

import random

import pytest

import tinytf
from tinytf._src.framework.context.execution import eager_mode

ARGUMENTS = """
c(1.) | c(2.) | c([1.]) | c([1., 2.]) | c(1) | c('x') | c(True) | np.float32([1, 2]) | np.ones(3) | np.zeros([0, 2], 'f') | 1 | 2
-1 | 'a' | b'a' | '1' | None | tf.float32 | len | one | two | equal | also | () | [] | {} | [None] | ((), 1) | [c(1.), c(2.)]
(c(1.), c(2.)) | [c(1.)] | [[c(1.)], [c(1.)]] | [1, [2, c(1.)]] | [1, [2, c(1)]] | [np.ones(2, 'f'), 3] | {'a': c(1.)}
{'a': c(1.), 'b': 2} | {'b': 2, 'a': c(4.)} | tf.SparseTensor([[0]], [1.], [3]) | tf.SparseTensor([[0], [1]], [1., 2.], [3])
"""
PARAMETERS = {
    "x": ["{}", "x={}"],
    "x, y=3": ["{}", "x={}", "{}, {}", "{}, y={}", "y={}, x={}"],
    "x, y=3, *, z=None": ["{}", "{}, {}", "{}, {}, z={}", "z={}, y={}, x={}", "{}, z={}"],
    "*x, **y": ["{}", "x={}", "{}, {}", "{}, y={}", "y={}, x={}", "{}, {}, z={}"],
}
_PROGRAM = """
import numpy as np

class Equal:
    def __eq__(self, other): return isinstance(other, Equal)
    def __hash__(self): return 1

class Plain: pass

def traces(parameters, options, calls):
    hits = []
    names = {"tf": tf, "np": np, "c": tf.constant, "hit": lambda: hits.append(1)}
    names.update(one=Plain(), two=Plain(), equal=Equal(), also=Equal())
    exec(f"def f({parameters}): hit()", names)
    names["f"] = tf.function(names["f"], **options)
    found = []
    for call in calls:
        try:
            eval(f"f({call})", names)
        except TypeError as error:
            found.append("TypeError")
        else:
            found.append(len(hits))
    return found
"""


def _sequence(choose, parameters):
    pool = choose.sample([a.strip() for line in ARGUMENTS.strip().splitlines() for a in line.split("|")], 5)
    # TensorFlow itself fails with relaxed shapes if the number of arguments changes.
    relaxed = "*x" not in parameters and choose.random() < 0.3
    calls = []
    for _ in range(12):
        form = choose.choice(PARAMETERS[parameters])
        calls.append(form.format(*[choose.choice(pool) for _ in range(form.count("{}"))]))
    return parameters, {"experimental_relax_shapes": relaxed}, calls


@pytest.mark.oracle
@pytest.mark.parametrize("parameters", PARAMETERS)
def test_there_are_as_many_traces(oracle, parameters):
    choose = random.Random(parameters)
    sequences = [_sequence(choose, parameters) for _ in range(40)]
    program = f"{_PROGRAM}\nfrom tensorflow.python.eager import context\nwith context.eager_mode():\n"
    theirs = oracle(program + "    result = [traces(*sequence) for sequence in sequences]", sequences=sequences)
    names = {"tf": tinytf}
    exec(_PROGRAM, names)
    with eager_mode(), tinytf.EagerSession():
        ours = [names["traces"](*sequence) for sequence in sequences]
    for sequence, found, expected in zip(sequences, ours, theirs, strict=True):
        assert found == expected, sequence
