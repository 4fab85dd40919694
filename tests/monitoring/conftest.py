"""What each test of monitored sessions leaves."""

import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def _no_writers():
    """Writers of folders, which end with the process otherwise."""
    yield
    tf.summary.FileWriterCache.clear()
