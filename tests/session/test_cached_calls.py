"""Steps of a form that ran before are found by their fetches and feeds, whatever holds these."""

from collections import OrderedDict, namedtuple
from types import MappingProxyType

import pytest

import tinytf as tf
from tinytf._core import StepGate, run_cached

_NEVER = 2**62


@pytest.fixture
def sess():
    with tf.Session() as sess:
        yield sess


@pytest.fixture
def fed():
    return tf.placeholder(tf.float32, [], "x"), tf.placeholder(tf.float32, [], "y")


def _calls(sess):
    return sess._steps.cache.calls


def _gate(**limits):
    never = {"step_after": _NEVER, "step_before": _NEVER, "steps": _NEVER, "secs_after": 1e9, "secs_before": 1e9}
    return StepGate(**{**never, **limits}, moves=False, has_step=True, values=1, last_step=0, has_last_step=False)


@pytest.mark.parametrize("mapping", [dict, OrderedDict, MappingProxyType])
def test_any_mapping_feeds_a_cached_call(sess, fed, mapping):
    x, y = fed
    for _ in range(3):
        assert sess.run(x - y, mapping({x: 5.0, y: 2.0})) == 3.0
        assert sess.run([x, y], mapping({x: 5.0, y: 2.0})) == [5.0, 2.0]


def test_the_order_of_feeds_is_that_of_the_mapping(sess, fed):
    x, y = fed
    difference = x - y
    feeds = OrderedDict({x: 5.0, y: 2.0})
    assert sess.run(difference, feeds) == 3.0
    feeds.move_to_end(x)
    assert sess.run(difference, feeds) == 3.0
    before = len(_calls(sess))
    assert sess.run(difference, {y: 2.0, x: 5.0}) == 3.0
    assert len(_calls(sess)) == before


def test_a_list_a_tuple_and_a_named_tuple_of_the_same_fetches_differ(sess, fed):
    x, y = fed
    pair = namedtuple("pair", "a b")
    feeds = {x: 1.0, y: 2.0}
    for _ in range(2):
        for fetches in ([x + 0, y + 0], (x + 0, y + 0), pair(x + 0, y + 0), {"a": x + 0}):
            for _ in range(2):
                assert type(sess.run(fetches, feeds)) is type(fetches)


def test_invalid_feeds_are_reported_after_valid_ones(sess, fed):
    x, _ = fed
    text = tf.placeholder(tf.string, [])
    twice, again = x * 2, tf.identity(text)
    assert sess.run(twice, {x: 1.0}) == 2.0
    assert sess.run(again, {text: "a"}) == b"a"
    for feeds in ([x], 3, "x"):
        with pytest.raises(TypeError, match="must be a dictionary"):
            sess.run(twice, feeds)
    with pytest.raises(tf.errors.InternalError, match="Unsupported object type"):
        sess.run(again, {text: object()})
    for nothing in ({}, None, (), 0):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must feed a value"):
            sess.run(twice, nothing)


def test_what_is_not_cached_is_not_run(sess, fed):
    x, y = fed
    total = x + y
    sess.run(total, {x: 1.0, y: 2.0})
    calls, steps = _calls(sess), sess.stats().steps
    assert run_cached(calls, total, {x: 1.0}) is NotImplemented
    assert run_cached(calls, {"a": total}, {x: 1.0, y: 2.0}) is NotImplemented
    assert run_cached(calls, total, [x, y]) is NotImplemented
    assert run_cached(calls, total, {x: 1.0, y: 2.0}, _gate(), (x,)) is NotImplemented
    assert sess.stats().steps == steps
    assert run_cached(calls, total, {x: 1.0, y: 2.0}) == 3.0


def test_a_gate_keeps_its_values_and_stops_steps(sess):
    step, loss = tf.constant(7), tf.constant(1.5)
    gated = sess._steps.prepare((), [loss, step], (), "single"), None
    key = (step, type(loss), loss)
    calls = {key: gated}
    assert run_cached(calls, loss, None, _gate(), (step,)) == 1.5
    gate = _gate(step_after=7)
    due = run_cached(calls, loss, None, gate, (step,))
    assert (due.results, due.values) == (1.5, [7])
    assert run_cached(calls, loss, None, gate, (step,)) is NotImplemented
