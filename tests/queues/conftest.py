"""What tests of waiting steps share."""

from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture
def later():
    """Starts a run on a thread of its own: a future of its value."""
    with ThreadPoolExecutor() as pool:
        yield lambda session, *arguments: pool.submit(session.run, *arguments)
