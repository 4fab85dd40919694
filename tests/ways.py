"""Which plans of sessions and functions leave the compiled way."""

import contextlib

import pytest

from tinytf import _core


@contextlib.contextmanager
def reasons_for_tokens():
    """A list of what stands against code in plans that are made in this context, by any session and any function of this
    process: why their branches and loops are run by tokens, where the session did not ask for that."""
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
    """No plan of a test leaves the compiled way, where a `conftest.py` has this."""
    with reasons_for_tokens() as reasons:
        yield
    assert not reasons, set(reasons)
