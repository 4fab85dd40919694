"""What each test of monitored sessions leaves."""

import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def _no_writers():
    """Writers of folders, which end with the process otherwise."""
    yield
    tf.summary.FileWriterCache.clear()


@pytest.fixture(autouse=True)
def _warnings_again(monkeypatch):
    """A process warns of a step that stands still a few times only."""
    monkeypatch.setattr("tinytf.monitoring.step_counter_hook._warnings", 0)
