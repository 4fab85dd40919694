"""A session closes, and goes, although memory is exhausted."""

import pytest

import tinytf as tf
from tinytf import _core

pytestmark = pytest.mark.hooks

_MOST = 30  # upper bound for the memory allocations of one end


def _used_session():
    graph = tf.Graph()
    with graph.as_default():
        total = tf.Variable(1.0) + 1.0
        initialized = tf.global_variables_initializer()
    session = tf.Session(graph=graph)
    session.run(initialized)
    assert session.run(total) == 2.0
    return session


def _ends(end):
    """Ends sessions with the first, the second, … allocation failing, until none is left."""
    for number in range(_MOST):
        session = [_used_session()]
        _core.testing.fail_allocation(number)
        try:
            end(session)
        finally:
            has_failed = _core.testing.allocation_has_failed()
            _core.testing.fail_allocation(-1)
        if not has_failed:
            return
    raise AssertionError("there is no end of requests")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of a close that lacks memory
def test_a_session_that_is_dropped_goes():
    _ends(list.clear)


def test_a_closed_session_that_is_dropped_goes():
    def close_and_drop(sessions):
        try:
            with sessions.pop():
                pass
        except MemoryError:
            pass

    _ends(close_and_drop)


def test_a_close_that_fails_may_be_repeated():
    def close(sessions):
        try:
            sessions[0].close()
        except MemoryError:
            sessions[0].close()
        with pytest.raises(RuntimeError, match="closed"):
            sessions[0].run([])

    _ends(close)
