"""Sessions of every kind, and a count of every value that a session frees."""

import gc
import itertools

import pytest
from watched_sessions import STRATEGIES, Watched

import tinytf as tf
from tinytf.framework.execution import eager_mode


@pytest.fixture
def eager():
    """Operations of the test are executed, in a session of its own."""
    with eager_mode(), tf.EagerSession() as session:
        yield session


@pytest.fixture
def watch():
    """`watch(**options)`: a Watched. All are closed at the end, and their figures checked."""
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
    """Options of a session: each strategy, synchronous and asynchronous."""
    strategy, is_async = request.param
    return {"resource_cleanup_strategy": strategy, "async_": is_async}


@pytest.fixture
def watched(watch, options):
    """A session of each kind, watched."""
    return watch(**options)


@pytest.fixture
def session(watched):
    """A session of each kind."""
    return watched.session


@pytest.fixture
def no_default():
    """No default session, before and after."""
    tf.test.reset_default_session()
    yield
    gc.collect()
    tf.test.reset_default_session()
