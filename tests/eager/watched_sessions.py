"""Sessions that count the frees of their values, and checks of a session's statistics."""

import tinytf as tf
from tinytf import _core

Strategy = tf.EagerSession.ResourceCleanupStrategy
STRATEGIES = list(Strategy)


def hold_of(session):
    """The test hooks of the session; there is one object, because its end would reset what others have set."""
    if not hasattr(session, "hold"):
        session.hold = _core.testing.EagerTesting(session._core)
    return session.hold


def assert_freed_once(session):
    """Checks a closed session whose frees were counted from its start: every value was freed exactly once."""
    assert session.closed
    stats = session.stats()
    assert hold_of(session).hits("in_deleter") == stats.freed + stats.invalidated == stats.created
    assert (stats.live, stats.queued, stats.retained) == (0, 0, 0)
    assert (stats.live_bytes, stats.queued_bytes, stats.retained_bytes) == (0, 0, 0)


class Watched:
    """An open session and the number of frees of its values, which never exceeds the number of values made."""

    def __init__(self, **options):
        self.session = tf.EagerSession(**options)
        self.hold = hold_of(self.session)
        self.hold.count("in_deleter")

    def freed(self):
        """The number of freed values, by any thread."""
        freed = self.hold.hits("in_deleter")
        assert freed <= self.session.stats().created, "a value was freed twice"
        return freed

    def settle(self):
        """Waits until all operations have run and, under IN_BACKGROUND, all dropped values are freed."""
        if self.session.closed:
            return
        self.session.synchronize()
        if self.session.strategy == Strategy.IN_BACKGROUND:
            self.session.flush()

    def close(self):
        """Closes the session and checks that every value was freed exactly once."""
        self.session.close()
        assert_freed_once(self.session)


def assert_balanced(session):
    """The values in all states add up to the number made, and a full count finds the same."""
    stats = session.stats()
    assert stats.created == stats.live + stats.queued + stats.retained + stats.freed + stats.invalidated, stats
    count = hold_of(session).recount()
    for state in ("live", "queued", "retained"):
        assert count[state] == getattr(stats, state), (state, count, stats)
        assert count[f"{state}_bytes"] == getattr(stats, f"{state}_bytes"), (state, count, stats)
