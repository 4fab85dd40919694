"""Common fixtures for session tests."""

import pytest

import tinytf as tf


@pytest.fixture
def sess():
    """A session of the default graph."""
    with tf.Session() as made:
        yield made


@pytest.fixture
def queue():
    """A queue of floats."""
    return tf.FIFOQueue(10, tf.float32, shapes=[[]])


@pytest.fixture
def path(tmp_path):
    """The path for recorded steps."""
    return tmp_path / "steps.zip"
