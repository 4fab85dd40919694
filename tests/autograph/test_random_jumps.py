"""Random functions of plain Python with many jumps behave the same before and after a rewrite, step by step."""

import contextlib
import linecache
import random

import pytest
from random_jumps import function_text

import tinytf as tf

_STEPS = 200


class _TooLong(BaseException):
    pass


class _Log:
    def __init__(self):
        self.entries = []

    def add(self, entry):
        self.entries.append(entry)
        if len(self.entries) > _STEPS:
            raise _TooLong

    @contextlib.contextmanager
    def __call__(self, n):
        self.add(f"in {n}")
        try:
            yield
        finally:
            self.add(f"out {n}")


def _asker(seed, log):
    answers = random.Random(seed)

    def ask():
        log.add("asked")
        return answers.random() < 0.5

    return ask


def _outcome(function, seed):
    log = _Log()
    try:
        result = function(_asker(seed, log), log)
    except (KeyError, UnboundLocalError) as error:
        result = type(error), str(error)
    except _TooLong:
        result = "too long"
    return result, log.entries


def _function(text):
    file = "<random jumps>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names = {}
    exec(compile(text, file, "exec"), names)
    return names["function"]


@pytest.mark.parametrize("seed", range(120))
def test_a_rewrite_changes_nothing(seed):
    text = function_text(seed)
    function = _function(text)
    rewritten = tf.autograph.to_graph(function)
    for answers in range(6):
        assert _outcome(rewritten, answers) == _outcome(function, answers), text
