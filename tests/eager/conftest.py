"""Fixtures for eager sessions of every kind, the count of freed values per session, and repetition of acceptance
cases.
"""

import gc
import itertools
import os

import pytest

pytest.register_assert_rewrite("watched_sessions", "session_model")

from held_threads import HeldNode  # noqa: E402
from watched_sessions import STRATEGIES, Watched, assert_freed_once, hold_of  # noqa: E402

import tinytf as tf  # noqa: E402
from tinytf._src.framework.context.execution import eager_mode  # noqa: E402

REPEAT = int(os.environ.get("TINYTF_REPEAT", "1"))  # number of runs of each acceptance case


def pytest_configure(config):
    config.addinivalue_line("markers", "acceptance: what every eager session does, whatever its strategy")


def pytest_itemcollected(item):
    if item.get_closest_marker("acceptance"):  # the fixture below counts their frees
        item.add_marker("hooks")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Repeats the whole list of cases: pytest sets up an item anew only if another item ran in between."""
    cases = [item for item in items if item.get_closest_marker("acceptance")]
    if REPEAT > 1 and len(cases) == 1:
        raise pytest.UsageError("TINYTF_REPEAT needs two cases at least")
    items.extend(cases * (REPEAT - 1))


@pytest.fixture(autouse=True)
def _freed_once(request, monkeypatch):
    """Checks that no session of an acceptance case frees a value twice, and that closed sessions freed all values."""
    if not request.node.get_closest_marker("acceptance"):
        yield
        return
    if REPEAT > 1:  # collections during the test then skip pytest's reports of earlier tests
        gc.collect()
        gc.freeze()
    made = []
    init = tf.EagerSession.__init__

    def init_watched(self, *args, **options):
        init(self, *args, **options)
        hold_of(self).count("in_deleter")
        made.append(self)

    monkeypatch.setattr(tf.EagerSession, "__init__", init_watched)
    yield
    for session in made:
        assert_freed_once(session)
    made.clear()


@pytest.fixture
def eager():
    """Runs the test's operations eagerly in a session of its own."""
    with eager_mode(), tf.EagerSession() as session:
        yield session


@pytest.fixture
def watch(hooks):
    """`watch(**options)` returns a Watched session; all are closed at the end and their statistics are checked."""
    made = []

    def make(**options):
        made.append(Watched(**options))
        return made[-1]

    yield make
    for watched in made:
        watched.close()
    made.clear()


@pytest.fixture(
    params=list(itertools.product(STRATEGIES, [False, True])),
    ids=lambda p: f"{p[0].name}-{'async' if p[1] else 'sync'}",
)
def options(request):
    """Session options: each strategy, synchronous and asynchronous."""
    strategy, is_async = request.param
    return {"resource_cleanup_strategy": strategy, "async_": is_async}


@pytest.fixture
def watched(watch, options):
    """A Watched session with each combination of options."""
    return watch(**options)


@pytest.fixture
def session(watched):
    """A session with each combination of options."""
    return watched.session


@pytest.fixture
def held(session, hooks):
    """Holds the session's thread inside a node until the test calls the fixture's value."""
    node = HeldNode(session)
    yield node.let_go
    node.let_go()


@pytest.fixture
def no_default():
    """Resets the default session before and after the test."""
    tf.test.reset_default_session()
    yield
    gc.collect()
    tf.test.reset_default_session()
