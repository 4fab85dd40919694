"""Fixtures for tests of waiting steps."""

from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture
def later():
    """A function that starts a run on a thread of its own and returns a future of its value."""
    with ThreadPoolExecutor() as pool:
        yield lambda session, *arguments: pool.submit(session.run, *arguments)
