"""Fixtures that clean up after tests of monitored sessions."""

import pytest

import tinytf as tf
from tinytf._src.session import lifetime


@pytest.fixture(autouse=True)
def _no_writers():
    """Clears cached file writers, which otherwise live until the process ends."""
    yield
    tf.summary.FileWriterCache.clear()


@pytest.fixture(autouse=True)
def _warnings_again(monkeypatch):
    """A process warns of a step that stands still a few times only."""
    monkeypatch.setattr("tinytf._src.monitored_session.step_counter_hook._warnings", 0)


@pytest.fixture
def opened():
    """Returns a function that lists the open sessions that the test made."""
    others = lifetime.open_sessions()
    return lambda: [session for session in lifetime.open_sessions() if session not in others]
