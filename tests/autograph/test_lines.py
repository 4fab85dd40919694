"""Errors in rewritten functions refer to the file and lines of the program, during tracing and when graphs run."""

import sys
import traceback

import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode


@pytest.fixture(autouse=True)
def _eager():
    with eager_mode(), tf.EagerSession():
        yield


def _lines(function, kind, *args):
    """The (function, line) pairs of this file's frames in a failing call; lines relative to the function's first."""
    with pytest.raises(kind) as caught:
        tf.function(function)(*args)
    frames = [f for f in traceback.extract_tb(caught.value.__traceback__)[1:] if f.filename == __file__]
    first = function.__code__.co_firstlineno
    return [(f.name, f.lineno - first) for f in frames if f.name != "_lines"], caught.value


def test_what_branches_lack_is_told_of_their_condition():
    def function(x):
        x += 1
        if x > 0:
            y = 1
        elif x > -5:
            y = 2
        return y

    lines, error = _lines(function, ValueError, tf.constant(1))
    assert lines == [("function", 2), ("function", 4)]
    assert "('y',)" in str(error)


def test_what_loops_lack_is_told_of_their_head():
    def function(x):
        for i in range(2):
            while x > i:
                y = x
                x -= 1
        return y

    assert _lines(function, ValueError, tf.constant(1))[0] == [("function", 1), ("function", 2)]


def _while_with_return(x):
    while x > 0:
        if x > 5:
            return x
        x -= 1
    return x


def _for_with_return(x):
    x += 1
    for i in tf.range(x):
        return i


def _loops_with_return(x):
    if x > 0:
        for i in tf.range(x):
            for j in range(3):
                if i > j:
                    return i
    return x


@pytest.mark.parametrize(
    ("function", "lines"), [(_while_with_return, [1]), (_for_with_return, [2]), (_loops_with_return, [1, 2])]
)
def test_returns_in_loops_of_tensors_are_told_of_the_head(function, lines):
    found, error = _lines(function, ValueError, tf.constant(3))
    assert found == [(function.__name__, line) for line in lines]
    assert str(error) == "return statements are not supported within a TensorFlow loop."


def test_an_error_in_a_body_shows_its_line():
    def function(x):
        while x > 0:
            if x > 5:
                x -= tf.zeros([2, 3], tf.int32) @ tf.zeros([2, 3], tf.int32)
            x -= 1
        return x

    assert _lines(function, ValueError, tf.constant(1))[0] == [("function", 1), ("function", 2), ("function", 3)]


def test_an_error_in_a_function_that_is_called():
    def inner(x):
        return x if x > 0 else x.nothing

    def function(x):
        for _ in tf.range(x):
            x += inner(x)
        return x

    lines, _ = _lines(function, AttributeError, tf.constant(1))
    here = inner.__code__.co_firstlineno - function.__code__.co_firstlineno
    assert [line for line in lines if line[0] != "<lambda>"] == [("function", 1), ("function", 2), ("inner", here + 1)]


def test_a_lambda_shows_its_line():
    function = lambda x: (  # noqa: E731
        x if x > 0 else
        x.nothing
    )  # fmt: skip
    assert _lines(function, AttributeError, tf.constant(1))[0][-1] == ("<lambda>", 2)


def test_an_operation_that_fails_was_made_on_its_line():
    def function(x):
        for i in tf.range(3):
            if x > 0:
                x = tf.gather([1, 2], x + i, name="picked")
        return x

    line = function.__code__.co_firstlineno + 3
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.function(function)(tf.constant(1))
    assert f"{__file__}:{line}" in str(caught.value)
    assert [f[1] for f in caught.value.op.traceback if f[2] == "function"] == [line - 2, line - 1, line]


def test_a_failed_assertion_was_made_on_its_line():
    def function(x):
        x += 1
        assert x > 0, "positive"
        return x

    with pytest.raises(tf.errors.InvalidArgumentError, match="positive") as caught:
        tf.function(function)(tf.constant(-1))
    assert f"{__file__}:{function.__code__.co_firstlineno + 2}" in str(caught.value)


def test_no_frames_of_the_package_are_between():
    def inner(x):
        while x > 0:
            y = x
        return y

    @tf.function
    def function(x):
        if x > 0:
            return inner(x)
        return x

    with pytest.raises(ValueError) as caught:
        function(tf.constant(1))
    frames = traceback.extract_tb(caught.value.__traceback__)
    own = [frame.name for frame in frames if frame.filename == __file__]
    assert own[1:] == ["function", "function", "inner"]
    assert len(frames) - len(own) <= (sys.version_info < (3, 11))  # before 3.11, the frame of the called function stays
