"""Stateless functions of constants are called once for all steps of a plan, also in branches, loops and behind
control dependencies, as often as in TensorFlow 1.15.5.
"""

import numpy as np
import py_func_folding_programs
import pytest
from py_func_folding_programs import KINDS
from recorded import recorded

import tinytf as tf

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    py_func_folding_programs,
    "py_func_folding_of_1_15.json",
    ways={kind: [kind] for kind in KINDS},
    wanted=lambda outcome, _, kind: outcome[kind],
    there="{kind: outcome(tf, program, kind) for kind in KINDS}",
)


@pytest.fixture
def count():
    """A function that returns the number of its call, starting from 1."""
    numbers = []

    def next_number(*_):
        numbers.append(len(numbers) + 1)
        return np.float32(numbers[-1])

    return next_number


def test_each_plan_calls_the_function_for_all_that_it_yields(sess, count):
    y = tf.py_func(count, [], tf.float32, stateful=False)
    twice = y * 2.0
    # As in TensorFlow 1.15.5, constants are folded for each set of fetches.
    assert [sess.run(y), sess.run(twice), sess.run([y, twice]), sess.run(y)] == [1, 4, [3, 6], 1]


def test_without_folding_each_step_calls_the_function(count):
    p = tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: tf.py_func(count, [1.0], tf.float32, stateful=False), lambda: tf.constant(-1.0))
    level = tf.OptimizerOptions(opt_level=tf.OptimizerOptions.L0)
    rewrites = tf.GraphOptions(optimizer_options=level)
    rewrites.rewrite_options.constant_folding = 2  # off
    with tf.Session(config=tf.ConfigProto(graph_options=rewrites)) as session:
        assert [session.run(y, {p: taken}) for taken in (False, True, True)] == [-1, 1, 2]


def test_tokens_do_the_same(count):
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.loop_optimization = 2  # off: the dataflow machine runs all branches and loops
    p, n = tf.placeholder(tf.bool, []), tf.placeholder(tf.int32, [])
    c = tf.constant(1.0)

    def call(*inputs):
        y = tf.py_func(count, inputs, tf.float32, stateful=False)
        y.set_shape([])
        return y

    chosen = tf.cond(p, lambda: call(tf.identity(2.0)), lambda: tf.constant(-1.0))
    total = tf.while_loop(lambda i, _: i < n, lambda i, x: (i + 1, x + call(c)), [0, 0.0])[1]
    with tf.Session(config=config) as session:
        assert [session.run(chosen, {p: taken}) for taken in (True, False, True)] == [1, -1, 1]
        assert [session.run(total, {n: times}) for times in (0, 2, 3)] == [0, 4, 6]


def test_the_nan_watch_blames_the_function(sess):
    """Each step calls the function, because constants are not blamed."""
    p = tf.placeholder(tf.bool, [])
    bad = tf.cond(
        p,
        lambda: tf.py_func(lambda: np.float32(np.nan), [], tf.float32, stateful=False, name="bad") * 2.0,
        lambda: tf.constant(1.0),
    )
    sess.watch_nan()
    assert sess.run(bad, {p: False}) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="^NaN watch: the first NaN comes from node cond/bad "):
        sess.run(bad, {p: True})


def test_tracing_calls_nothing(sess, count):
    inner = tf.function(lambda: tf.py_func(count, [], tf.float32, stateful=False))
    y = tf.function(lambda: inner() * 2.0)()
    assert count() == 1
    assert [sess.run(y), sess.run(y)] == [4, 4]


def test_a_branch_that_is_known_to_be_left_out_calls_nothing(sess, count):
    """TensorFlow calls both functions before it finds that the predicate is constant."""
    y = tf.cond(
        tf.constant(True),
        lambda: tf.py_func(count, [], tf.float32, stateful=False),
        lambda: tf.py_func(count, [1.0], tf.float32, stateful=False),
    )
    assert [sess.run(y), sess.run(y), count()] == [1, 1, 2]
