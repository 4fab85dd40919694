"""Detects plans of sessions and functions that are not compiled."""

import contextlib

import pytest

from tinytf import _core


@contextlib.contextmanager
def reasons_for_tokens():
    """Collects why plans made in this context, by any session or function of this process, run branches and loops
    by the dataflow machine although the session did not request that.
    """
    reasons, prepare = [], _core.prepare

    def prepare_and_ask(*args, **kwargs):
        prepared = prepare(*args, **kwargs)
        reason = prepared.describe()["why_tokens"]
        if reason not in ("", "RewriterConfig.loop_optimization is OFF"):
            reasons.append(reason)
        return prepared

    _core.prepare = prepare_and_ask
    try:
        yield reasons
    finally:
        _core.prepare = prepare


@pytest.fixture(autouse=True)
def compiled_way():
    """Checks that all plans of a test stay compiled; used by a `conftest.py`."""
    with reasons_for_tokens() as reasons:
        yield
    assert not reasons, set(reasons)
