"""What each test of monitored sessions leaves."""

import pytest

import tinytf as tf
from tinytf._src.session import lifetime


@pytest.fixture(autouse=True)
def _no_writers():
    """Writers of folders, which end with the process otherwise."""
    yield
    tf.summary.FileWriterCache.clear()


@pytest.fixture(autouse=True)
def _warnings_again(monkeypatch):
    """A process warns of a step that stands still a few times only."""
    monkeypatch.setattr("tinytf._src.monitored_session.step_counter_hook._warnings", 0)


@pytest.fixture
def opened():
    """The sessions that the test made and that are open now."""
    others = lifetime.open_sessions()
    return lambda: [session for session in lifetime.open_sessions() if session not in others]
