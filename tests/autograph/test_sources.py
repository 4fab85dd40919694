"""The source of a function is found for rewriting; a function without its current source runs unchanged."""

import linecache
import logging
import textwrap

import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode


@pytest.fixture(autouse=True)
def _eager():
    with eager_mode(), tf.EagerSession():
        yield


def _absolute(function, *args):
    traced = tf.function(function)
    return [int(traced(tf.constant(n), *args)) for n in (3, -3)]


def test_lambdas_of_one_line():
    first, second, third = lambda x: x if x > 0 else -x, lambda x: x if x > 0 else x * 2, lambda x, y: x if x > 0 else y
    assert _absolute(first) == [3, 3]
    assert _absolute(second) == [3, -6]
    assert _absolute(third, 8) == [3, 8]


def test_lambdas_in_lambdas():
    outer = lambda a: lambda x: x if x > a else a  # noqa: E731
    assert _absolute(outer(1)) == [3, 1]
    assert _absolute(lambda x: (lambda y: y if y > 0 else -y)(x)) == [3, 3]


def test_lambdas_that_do_the_same():
    same = [lambda x: x if x > 0 else -x, lambda x: x if x > 0 else -x]
    assert [_absolute(function) for function in same] == [[3, 3]] * 2
    other = [lambda x, y=1: x if x > 0 else y, lambda x, y=2: x if x > 0 else y, lambda x, y=3: y if x > 0 else x]
    assert [_absolute(function) for function in other] == [[3, 1], [3, 2], [3, -3]]


def test_lambdas_over_several_lines():
    pair = (
        lambda x: x
        if x > 0
        else -x,
        lambda x: 2 * x
        if x > 0
        else -x,
    )  # fmt: skip
    assert [_absolute(function) for function in pair] == [[3, 3], [6, 3]]


def test_functions_of_one_name():
    def function(x):
        return x if x > 0 else 1

    first = function

    def function(x):
        return x if x > 0 else 2

    assert _absolute(first) == [3, 1]
    assert _absolute(function) == [3, 2]


_CELL = """
    value = 5
    def cell(x):
        if x > 0:
            return x
        return value
"""


def _run_cell(text, file):
    """Runs code as a notebook cell: its lines are registered in linecache."""
    text = textwrap.dedent(text)
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names = {"__name__": "__main__"}
    exec(compile(text, file, "exec"), names)
    return names["cell"]


def test_cells_of_notebooks():
    assert _absolute(_run_cell(_CELL, "<ipython-input-1-abc>")) == [3, 5]
    again = _run_cell(_CELL.replace("value = 5", "value = 6"), "<ipython-input-1-abc>")
    assert _absolute(again) == [3, 6]


def test_a_source_that_is_another_one_now(caplog):
    function = _run_cell(_CELL, "<ipython-input-2-abc>")
    _run_cell("\n\n\n" + _CELL, "<ipython-input-2-abc>")
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="AutoGraph did not convert this function"):
        tf.function(function)(tf.constant(1))
    assert "its source code was not found at <ipython-input-2-abc>:3" in caplog.text


@pytest.mark.parametrize(
    ("file", "told"), [("<string>", ""), ("<nowhere>", "could not be transformed and will be executed as-is")]
)
def test_functions_without_a_source_run_as_they_are(file, told, caplog):
    names = {}
    exec(compile("def function(x, y):\n    return x if y else -x", file, "exec"), names)
    traced = tf.function(names["function"])
    with caplog.at_level(logging.WARNING, "tinytf"):
        assert [int(traced(tf.constant(1), y)) for y in (True, False)] == [1, -1]
    assert told in caplog.text and bool(told) == bool(caplog.text)


def test_code_that_is_not_what_the_source_compiles_to():
    """The code of test modules differs from the compiled source, because pytest rewrites assertions."""
    names = {"__name__": "program"}
    file = "<rewritten>"
    text = "f = [lambda x: x if x > 0 else 1, lambda x: x if x > 0 else 2]\n"
    linecache.cache[file] = (len(text), None, [text], file)
    exec(compile(text, file, "exec"), names)
    first, second = names["f"]
    for function in (first, second):
        function.__code__ = function.__code__.replace(co_consts=(*function.__code__.co_consts, "more"))
    if hasattr(first.__code__, "co_positions"):
        assert [_absolute(first), _absolute(second)] == [[3, 1], [3, 2]]
