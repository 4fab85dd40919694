"""Random functions yield with tensors, in graphs, what they yield with ints, in Python."""

import linecache

import pytest
from random_functions import function_text

import tinytf as tf
from tinytf.framework.execution import eager_mode

_ARGUMENTS = ((0, 0), (3, -2), (-7, 5), (12, 12), (1, 8))


def _function(seed, rows):
    """The function, whose source is where Python looks for it."""
    text, file = function_text(seed), f"<random function {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names = {"rows": rows}
    exec(compile(text, file, "exec"), names)
    return names["function"], text


def _staged(text):
    """Whether text is of a function that has something to rewrite."""
    return any(word in text for word in ("if ", "while ", "for "))


@pytest.mark.parametrize("seed", range(100))
def test_graphs_yield_what_python_yields(seed):
    plain, text = _function(seed, lambda x, y: [x, y, x + y])
    with_tensors, _ = _function(seed, lambda x, y: tf.stack([x, y, x + y]))
    with eager_mode(), tf.EagerSession():
        traced = tf.function(with_tensors, input_signature=[tf.TensorSpec([], tf.int32)] * 2)
        for arguments in _ARGUMENTS:
            expected = plain(*arguments)
            found = traced(*map(tf.constant, arguments))
            assert [int(n) for n in found] == list(expected), text
    linecache.cache.pop(f"<random function {seed}>")


def test_most_functions_have_control_flow():
    assert sum(_staged(function_text(seed)) for seed in range(100)) > 75
