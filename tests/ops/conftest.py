"""For tests of ops: many short ones."""

import gc

import pytest


@pytest.fixture(scope="session", autouse=True)
def _frozen_modules():
    """What importing has made is never collected, so that the collections around each test need not walk over it."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
