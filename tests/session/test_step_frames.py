"""Steps that ran before pass through few Python functions."""

import sys

import pytest

import tinytf as tf


def _entered(step):
    """Names of the Python functions that a call of `step` enters."""
    for _ in range(3):
        step()
    names = []
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, arg: names.append(frame.f_code.co_name) if event == "call" else None)
    try:
        step()
    finally:
        sys.setprofile(before)
    return names


@pytest.fixture
def model():
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    return x, y, x + y, tf.no_op()


def test_a_run_enters_one(model):
    x, y, total, nothing = model
    feeds = {x: 1.0, y: 2.0}
    with tf.Session() as sess:
        for fetches, fed in [(nothing, None), (total, feeds), ([total, x * y], feeds)]:
            step = lambda fetches=fetches, fed=fed: sess.run(fetches, fed)  # noqa: E731
            assert _entered(step) == ["<lambda>", "run"]


def test_a_callable_enters_few(model):
    x, y, total, nothing = model
    with tf.Session() as sess:
        assert _entered(sess.make_callable(nothing)) == ["_call"]
        add = sess.make_callable(total, [x, y])
        assert _entered(lambda: add(1.0, 2.0)) == ["<lambda>", "run_with_feeds", "remembered_call"]


def test_a_monitored_step_enters_one_for_each_session(model):
    up = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(last_step=10**6)]) as sess:
        assert _entered(lambda: sess.run(up)) == ["<lambda>"] + ["run"] * 5
