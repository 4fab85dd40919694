"""Rewritten functions without tensors behave as before."""

import copy
import inspect
import traceback
from unittest import mock

import pytest
from python_cases import CASES

import tinytf as tf


def _outcome(function, args, keywords):
    accepted = inspect.signature(function).parameters.values()
    if not any(p.kind is p.VAR_KEYWORD for p in accepted):
        keywords = {}
    try:
        return "value", repr(function(*copy.deepcopy(args), **keywords))
    except Exception as error:
        return "error", type(error), str(error)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_a_rewrite_changes_nothing(case):
    function, calls, keywords = case
    rewritten = tf.autograph.to_graph(function)
    for args in calls:
        assert _outcome(rewritten, args, keywords) == _outcome(function, args, keywords)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_the_written_source_is_python(case):
    compile(tf.autograph.to_code(case[0]), "<code>", "exec")


def test_what_a_function_has_is_kept():
    free = 3

    def function(a: int, b: "str" = 2, *, c=free) -> None:
        """Documented."""
        if a:
            return free
        return b, c

    function.note = "noted"
    rewritten = tf.autograph.to_graph(function)
    for name in (
        "__name__",
        "__qualname__",
        "__doc__",
        "__module__",
        "__defaults__",
        "__kwdefaults__",
        "__annotations__",
        "note",
    ):
        assert getattr(rewritten, name) == getattr(function, name)
    assert inspect.signature(rewritten) == inspect.signature(function)
    assert rewritten.__globals__ is function.__globals__
    free = 4
    assert rewritten(1) == 4


def test_variables_of_functions_around_are_shared():
    count = 0

    def increase(n):
        nonlocal count
        for _ in range(n):
            if n > 1:
                count += 1

    tf.autograph.to_graph(increase)(5)
    assert count == 5


def test_tracebacks_are_those_of_the_source():
    def fails(n):
        for i in range(n):
            if i == 2:
                raise KeyError(i)

    def lines(function):
        with pytest.raises(KeyError) as caught:
            function(5)
        frames = traceback.extract_tb(caught.value.__traceback__)[1:]
        return [(f.filename, f.lineno, f.name) for f in frames if "_src" not in f.filename.split("/")]

    found = lines(tf.autograph.to_graph(fails))
    assert set(lines(fails)) <= set(found)
    assert {(name, function) for name, _, function in found} == {(__file__, "fails")}


def test_objects_that_have_every_attribute_are_no_tensors():
    def function(thing):
        if thing:
            return thing.name and [n.x for n in thing.names]
        return not thing.there

    thing = mock.MagicMock()
    with tf.Graph().as_default():
        assert tf.autograph.to_graph(function)(thing) == []
