"""A rewritten function rewrites the right functions that it calls."""

import collections
import functools
import json
import logging
import operator
import unittest

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.autograph import calls, candidates
from tinytf._src.autograph.features import Options
from tinytf._src.framework.context.execution import eager_mode


@pytest.fixture(autouse=True)
def _eager():
    with eager_mode(), tf.EagerSession():
        yield


@pytest.fixture
def converted():
    """Returns the function that is called in place of a given function."""
    return calls.Operators(Options()).converted


def plain(x):
    return x if x else 1


class Callable:
    def __call__(self, x):
        return x if x else 2

    def method(self, x):
        return x if x else 3


def _kind(function):
    return getattr(function, "__qualname__", type(function).__name__)


@pytest.mark.parametrize(
    "function",
    [
        json.dumps,
        np.mean,
        np.add,
        tf.nn.relu,
        tf.function(plain),
        collections.OrderedDict,
        Callable,
        [].append,
        operator.itemgetter(1),
        functools.lru_cache(plain),
        "text".join,
        print,
        max,
        int.__add__,
        tf.autograph.experimental.do_not_convert(plain),
    ],
    ids=_kind,
)
def test_libraries_and_classes_run_as_they_are(converted, function):
    assert converted(function) is function or converted(function) == function


@pytest.mark.parametrize(
    "function",
    [plain, Callable(), Callable().method, functools.partial(plain), functools.partial(Callable())],
    ids=_kind,
)
def test_functions_of_the_program_are_rewritten(converted, function):
    new = converted(function)
    assert new is not function
    assert new(0) == function(0)
    assert converted(new).__class__ is new.__class__


def test_a_rewritten_function_is_not_rewritten_again(converted):
    new = converted(plain)
    assert converted(new) is new


def test_only_functions_of_libraries_are_known_by_their_files():
    assert candidates.is_candidate(plain)
    assert not candidates.is_candidate(json.dumps)
    assert candidates.is_library_file(json.__file__)
    assert not candidates.is_library_file(pytest.__file__)


def test_methods_of_test_cases_run_as_they_are(converted):
    class Case(unittest.TestCase):
        def helper(self, x):
            return x if x else 1

    helper = Case().helper
    assert converted(helper) is helper


def test_generators_and_coroutines_run_as_they_are(caplog):
    def numbers(n):
        for i in range(n):
            if i:
                yield i

    async def later(n):
        return n

    @tf.function
    def function(x):
        waiting = later(1)
        waiting.close()
        return x + sum(list(numbers(4)))

    with caplog.at_level(logging.WARNING, "tinytf"):
        assert int(function(tf.constant(1))) == 7
        assert int(function(tf.constant(1.0))) == 7
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2  # one warning per function
    assert "appears to be a coroutine function. It will not be converted by AutoGraph." in told[0]
    assert "appears to be a generator function" in told[1] and __file__ in told[1]


def test_a_return_in_finally_is_left_to_python(caplog):
    def function(x, y):
        try:
            return x / y
        finally:
            if not y:
                return x  # noqa: B012

    traced = tf.function(function)
    assert [int(traced(tf.constant(4), y)) for y in (2, 0)] == [2, 4]
    assert "finally block are not supported by AutoGraph" in caplog.text


def test_recursion():
    def factorial(n):
        if n < 2:
            return 1
        return n * factorial(n - 1)

    @tf.function
    def function(x):
        return x * factorial(5)

    assert int(function(tf.constant(2))) == 240


def test_calls_of_calls(converted):
    def adder(n):
        return lambda x: x + n if x > 0 else x - n

    @tf.function
    def function(x):
        return adder(3)(x) + (lambda f: f(x))(adder(1))

    assert [int(function(tf.constant(n))) for n in (5, -5)] == [14, -14]


def test_methods_keep_their_object():
    class Model:
        def __init__(self):
            self.scale = 3

        @tf.function
        def __call__(self, x):
            return self.inner(x) if x > 0 else x

        def inner(self, x):
            if x > 5:
                return x * self.scale
            return x

        @property
        def doubled(self):
            return 2 * self.scale if self.scale > 2 else 0

    model = Model()
    assert [int(model(tf.constant(n))) for n in (7, 3, -3)] == [21, 3, -3]
    assert int(tf.function(lambda x: x * model.doubled)(tf.constant(2))) == 12
