"""The traceback of a failed run shows only the user's program."""

import contextlib
import gc
import os
import sys
import traceback
import weakref

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.session.fetch import REGISTERED_EXPANSIONS, register_session_run_conversion_functions

_PACKAGE = os.path.dirname(os.path.abspath(tf.__file__))


def _alone(name):
    """The visible frames of this package if only the function `name` cannot remove its own frame."""
    return [] if sys.version_info >= (3, 11) else [name]


# What to fetch and feed, given a placeholder of shape [2] and a tensor that cannot be computed.
_FAILURES = {
    "a kernel fails": lambda x, y: (y, {x: [1.0, 2.0]}),
    "a value is missing": lambda x, y: (y, None),
    "a value does not fit": lambda x, y: (y, {x: [1.0]}),
    "a value is no number": lambda x, y: (y, {x: ["a", "b"]}),
    "a key is no tensor": lambda x, y: (y, {"x": [1.0]}),
    "the feeds are no dict": lambda x, y: (y, [1]),
    "a fetch is no tensor": lambda x, y: ([y, 3], None),
    "a fetch is None": lambda x, y: (None, None),
    "a name is unknown": lambda x, y: ("z", None),
    "a kernel fails, in a dict": lambda x, y: ({"a": [y]}, {x: [1.0, 2.0]}),
    "a fetch is no tensor, in a dict": lambda x, y: ({"a": [3]}, None),
}


def _frames(call):
    """The functions in the traceback of a failing call: the package's, and the others."""
    with pytest.raises(Exception) as caught:
        call()
    printed = "".join(traceback.format_exception(None, caught.value, caught.value.__traceback__))
    assert "During handling" not in printed and "direct cause" not in printed
    frames = traceback.extract_tb(caught.value.__traceback__)
    ours = [frame.name for frame in frames if frame.filename.startswith(_PACKAGE)]
    return ours, [frame.name for frame in frames if not frame.filename.startswith(_PACKAGE)]


def _placeholder_and_failure():
    x = tf.placeholder(tf.float32, [2], name="x")
    return x, tf.check_numerics(tf.reshape(x, tf.placeholder_with_default([3], [1])), "never")


def _users_function(call):
    call()


@pytest.mark.parametrize("kind", _FAILURES)
def test_run_is_not_seen(sess, kind):
    fetches, feeds = _FAILURES[kind](*_placeholder_and_failure())
    for _ in range(2):  # a new call, and a cached one
        ours, others = _frames(lambda: _users_function(lambda: sess.run(fetches, feeds)))
        assert ours == _alone("run")
        assert others == ["_frames", "<lambda>", "_users_function", "<lambda>"]


def test_eval_run_and_callables_are_alone_too(sess):
    x, y = _placeholder_and_failure()
    assert _frames(lambda: y.eval({x: [1.0, 2.0]}))[0] == _alone("eval")
    assert _frames(lambda: y.op.run({x: [1.0]}))[0] == _alone("run")
    assert _frames(lambda: sess.make_callable(y, [x])([1.0, 2.0]))[0] == _alone("run_with_feeds")
    assert len(_frames(sess.make_callable(y))[0]) <= 1
    assert len(_frames(sess.make_callable([y]))[0]) <= 1
    assert _frames(lambda: sess.make_callable([y, 3]))[0] == _alone("make_callable")
    traced = sess.make_callable(y, accept_options=True)
    assert _frames(lambda: traced(options=tf.RunOptions()))[0] == _alone("call_with_options")


def test_partial_runs_are_alone_too(sess):
    x, y = _placeholder_and_failure()
    assert _frames(lambda: sess.partial_run_setup([y, 3], [x]))[0] == _alone("partial_run_setup")
    handle = sess.partial_run_setup([y], [x])
    assert _frames(lambda: sess.partial_run(handle, [x], {x: [1.0, 2.0]}))[0] == _alone("partial_run")
    assert _frames(lambda: sess.partial_run(handle, y, {x: [1.0, 2.0]}))[0] == _alone("partial_run")


def test_errors_let_go_of_what_was_fed(sess):
    class Array(np.ndarray):  # supports weak references
        pass

    x, y = _placeholder_and_failure()

    def fails(call, numbers):
        array = np.array(numbers, np.float32).view(Array)
        with contextlib.suppress(ValueError, tf.errors.OpError):
            call(array)
        return weakref.ref(array)

    gc.disable()  # objects that are in no cycle are freed without it
    try:
        for numbers in ([1.0, 2.0], [1.0, 2.0, 3.0]):
            assert fails(lambda array: sess.run(y, {x: array}), numbers)() is None
            assert fails(lambda array: sess.run({"y": y}, {x: array}), numbers)() is None
            assert fails(lambda array: y.eval({x: array}), numbers)() is None
            assert fails(sess.make_callable(y, [x]), numbers)() is None
    finally:
        gc.enable()


def test_an_empty_graph_and_a_closed_session():
    sess = tf.Session()
    assert _frames(lambda: sess.run([]))[0] == _alone("run")
    sess.close()
    assert _frames(lambda: sess.run([]))[0] == _alone("run")


def test_all_frames_can_be_had(sess, monkeypatch):
    tf.no_op()
    monkeypatch.setenv("TINYTF_FULL_TRACEBACKS", "1")
    assert len(_frames(lambda: sess.run([3]))[0]) > 1


def test_frames_and_causes_of_the_users_functions_stay(sess):
    class Point:
        pass

    def leaves_of_a_point(point):
        try:
            {}["x"]
        except KeyError as e:
            raise ValueError("a point without x") from e

    register_session_run_conversion_functions(Point, leaves_of_a_point)
    try:
        tf.no_op()
        with pytest.raises(ValueError, match="^a point without x$") as caught:
            sess.run(Point())
    finally:
        REGISTERED_EXPANSIONS[:] = [e for e in REGISTERED_EXPANSIONS if e[0] is not Point]
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names == ["test_frames_and_causes_of_the_users_functions_stay", *_alone("run"), "leaves_of_a_point"]
    assert isinstance(caught.value.__cause__, KeyError)
