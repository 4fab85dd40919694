"""Fixtures for op tests, which are many and short."""

import gc

import pytest


@pytest.fixture(scope="session", autouse=True)
def _frozen_modules():
    """Freezes the objects created by imports, so that the collections around each test skip them."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
