"""tf.case: selection of the function, assertions about predicates, and errors."""

import collections
import re

import pytest

import tinytf as tf


@pytest.fixture
def x():
    return tf.placeholder(tf.int32, [], name="x")


def _values(sess, x, fetch, *given):
    return [sess.run(fetch, {x: value}) for value in given]


def test_the_first_that_holds(sess, x):
    result = tf.case([(x < 1, lambda: 10), (x < 3, lambda: x * 2)], default=lambda: -x)
    assert _values(sess, x, result, 0, 2, 5) == [10, 4, -5]


def test_one_pair(sess, x):
    with_default = tf.case([(x < 1, lambda: 10)], default=lambda: x)
    alone = tf.case([(x < 1, lambda: tf.constant(10))])
    assert _values(sess, x, with_default, 0, 7) == [10, 7] and sess.run(alone, {x: 0}) == 10


def test_dicts(sess, x):
    ordered = collections.OrderedDict([(x < 3, lambda: 1), (x < 5, lambda: 2)])
    assert _values(sess, x, tf.case(ordered, default=lambda: 3), 0, 4, 9) == [1, 2, 3]
    assert _values(sess, x, tf.case({x < 1: lambda: 1, x > 5: lambda: 2}, lambda: 3, exclusive=True), 0, 7, 3) == [
        1,
        2,
        3,
    ]


def test_a_dict_has_no_order_of_its_own(x, caplog):
    caplog.set_level("WARNING", "tinytf")
    tf.case({x < 1: lambda: 1, x > 5: lambda: 2}, lambda: 3)
    assert "case: " in caplog.text


def test_structures(sess, x):
    pairs = [(x < 1, lambda: [1, {"a": 2}]), (x < 2, lambda: [3, {"a": 4}])]
    assert sess.run(tf.case(pairs, lambda: [5, {"a": x}]), {x: 6}) == [5, {"a": 6}]
    assert isinstance(tf.case([(x < 1, lambda: [1])], lambda: [2]), tf.Tensor)
    strict = tf.case([(x < 1, lambda: [1])], lambda: [2], strict=True)
    assert sess.run(strict, {x: 3}) == [2]


def test_several_that_hold(sess, x):
    a, b = tf.less(x, 5, name="a"), tf.less(x, 3, name="b")
    result = tf.case([(a, lambda: 1), (b, lambda: 2)], default=lambda: 3, exclusive=True)
    assert _values(sess, x, result, 4, 7) == [1, 3]
    says = "Input error: exclusive=True: more than 1 conditions (a:0, b:0) evaluated as True:"
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(f"assertion failed: [{says}] [1 1]")):
        sess.run(result, {x: 1})


def test_none_that_holds(sess, x):
    a, b = tf.less(x, 0, name="a"), tf.less(x, 3, name="b")
    result = tf.case([(a, lambda: tf.constant(1)), (b, lambda: tf.constant(2))])
    assert _values(sess, x, result, -1, 2) == [1, 2]
    says = "assertion failed: [Input error: None of conditions evaluated as True:] [0 0]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(says)):
        sess.run(result, {x: 5})


@pytest.mark.parametrize(
    ("pairs", "default", "error", "says"),
    [
        (lambda x: x, None, TypeError, "fns must be a list, tuple, or dict"),
        (lambda x: [x < 1], None, TypeError, "Each entry in pred_fn_pairs must be a 2-tuple"),
        (lambda x: [[x < 1, int]], None, TypeError, "Each entry in pred_fn_pairs must be a 2-tuple"),
        (lambda x: [(x, int)], None, TypeError, "pred must be Tensor of type bool: x:0"),
        (lambda x: [(True, int)], None, TypeError, "pred must be a Tensor, got: True"),
        (lambda x: [(tf.less(x, 1, name="p"), 1)], None, TypeError, "fn for pred p:0 must be callable."),
        (lambda x: [], None, ValueError, "not enough values to unpack (expected 2, got 0)"),
        (lambda x: [(x < 1, int)], 1, TypeError, "false_fn must be callable."),
    ],
)
def test_errors(x, pairs, default, error, says):
    with pytest.raises(error) as caught:
        tf.case(pairs(x), default)
    assert str(caught.value) == says
