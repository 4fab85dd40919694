"""Random functions return the same values with tensors in graphs as with ints in Python."""

import ast
import contextlib
import linecache

import pytest
from random_functions import function_text

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode

_ARGUMENTS = ((0, 0), (3, -2), (-7, 5), (12, 12), (1, 8))


def _nothing(*_):
    return contextlib.nullcontext(0)


_PYTHON = {"rows": lambda x, y: [x, y, x + y], **dict.fromkeys(("scope", "on", "after", "tape", "own"), _nothing)}
_TENSORFLOW = {
    "rows": lambda x, y: tf.stack([x, y, x + y]),
    "scope": tf.name_scope,
    "on": tf.device,
    "after": tf.control_dependencies,
    "tape": tf.GradientTape,
    "own": _nothing,
}


def _function(seed, names):
    """The function, with its source registered in linecache; `names` are its globals."""
    text, file = function_text(seed), f"<random function {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names = dict(names)
    exec(compile(text, file, "exec"), names)
    return names["function"], text


def _staged(text):
    """Whether the source contains a statement that is rewritten."""
    return any(word in text for word in ("if ", "while ", "for "))


@pytest.mark.parametrize("seed", range(100))
def test_graphs_yield_what_python_yields(seed):
    plain, text = _function(seed, _PYTHON)
    with_tensors, _ = _function(seed, _TENSORFLOW)
    with eager_mode(), tf.EagerSession():
        traced = tf.function(with_tensors, input_signature=[tf.TensorSpec([], tf.int32)] * 2)
        for arguments in _ARGUMENTS:
            expected = plain(*arguments)
            found = traced(*map(tf.constant, arguments))
            assert [int(n) for n in found] == list(expected), text
    linecache.cache.pop(f"<random function {seed}>")


def _has_block_in_loop(text):
    loops = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.For, ast.While))]
    return any(isinstance(inner, ast.With) for loop in loops for inner in ast.walk(loop))


def test_many_functions_have_blocks_in_loops():
    assert sum(_has_block_in_loop(function_text(seed)) for seed in range(100)) > 15


def test_most_functions_have_control_flow():
    assert sum(_staged(function_text(seed)) for seed in range(100)) > 75
