"""Conditions nested a thousand deep work; only Python needs a larger stack, not the engine."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

import tinytf as tf
from tinytf._src import protos

DEPTH = 1000
_STACK = 256 << 20  # bytes


@contextmanager
def _recursion(limit):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _on_a_large_stack(function):
    """The result of the function called on a new thread with a large stack."""
    before = threading.stack_size(_STACK)
    try:
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(function).result()
    finally:
        threading.stack_size(before)


def _nested(depth, choices, y):
    if depth == 0:
        return y * 2.0
    return tf.cond(choices[depth % 2], lambda: _nested(depth - 1, choices, y + 1.0), lambda: y)


def _run():
    by_tokens = tf.ConfigProto()
    by_tokens.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    by_tokens.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
    with tf.Graph().as_default():
        x = tf.constant(1.0)
        choices = [tf.placeholder(tf.bool, []) for _ in range(2)]
        y = _nested(DEPTH, choices, x)
        fetches = [y, *tf.gradients(y, x)]
        found = []
        for config in (None, by_tokens):
            with tf.Session(config=config) as session:
                taken = ((True, True), (False, True), (True, False))
                found.append([session.run(fetches, dict(zip(choices, values, strict=True))) for values in taken])
        return found


def test_a_thousand_conditions_in_each_other():
    with _recursion(60 * DEPTH):
        assert _on_a_large_stack(_run) == 2 * [[[2.0 * (DEPTH + 1), 2.0], [1.0, 1.0], [2.0, 1.0]]]


def test_python_says_so_where_its_limit_is_met():
    with tf.Graph().as_default(), pytest.raises(RecursionError):
        _nested(DEPTH, [tf.constant(True)] * 2, tf.constant(1.0))
    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(_nested(10, [tf.constant(True)] * 2, tf.constant(1.0))) == 22
