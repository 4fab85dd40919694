"""A model in Python of an eager session's statistics."""

import contextlib

from watched_sessions import Strategy, hold_of

import tinytf as tf


@contextlib.contextmanager
def inside(session):
    """Enters the session's block without closing the session at its end."""
    session.__enter__()
    try:
        yield
    finally:
        session._entries.pop()


class Value:
    """A tensor with its number of references in the program and its contents."""

    __slots__ = ("tensor", "bytes", "names", "live", "number")

    def __init__(self, tensor, bytes, number):
        self.tensor = tensor
        self.bytes = bytes
        self.names = 1
        self.live = True
        self.number = number  # value of each element; None: the operation that should have produced it failed


class Model:
    """A session and its expected statistics. With `held`, the session's reaper frees only on demand.

    `values` contains a value once per reference of the program.
    """

    def __init__(self, strategy, is_async, held=False):
        self.session = tf.EagerSession(resource_cleanup_strategy=strategy, async_=is_async)
        self.hold = hold_of(self.session)
        self.hold.count("in_deleter")
        self.is_async = is_async
        self.keeps = strategy == Strategy.ON_SESSION_CLOSE
        self.background = strategy == Strategy.IN_BACKGROUND
        self.held = held and self.background
        if self.held:
            self.hold.pause_reaper()
        self.failed = False  # whether an asynchronous operation failed and the error is not cleared
        self.closed = False
        self.values = []
        self.exports = []  # (array, the value whose tensor it refers to, or None)
        self.created = self.live = self.live_bytes = 0
        self.gone = self.invalidated = 0  # freed or queued; freed by the end of the session
        self.retained = self.retained_least = self.retained_most = 0

    @property
    def usable(self):
        return not self.closed and not self.failed

    def add(self, tensor, bytes, number):
        self.values.append(Value(tensor, bytes, number))
        self.created += 1
        self.live += 1
        self.live_bytes += bytes

    def drop_export(self, index):
        """Drops an array that shares memory with a value."""
        array, value = self.exports.pop(index)
        assert array[0] == array[-1]
        del array
        if value is not None:
            self.release(value)

    def end_value(self, value):
        """Frees the value while the program still refers to it."""
        if self._dies(value):
            self.gone += 1

    def _dies(self, value):
        was_live, value.live = value.live, False
        if was_live:
            self.live -= 1
            self.live_bytes -= value.bytes
        return was_live

    def drop(self, index):
        """Drops the program's reference at this index."""
        self.release(self.values.pop(index))

    def release(self, value):
        """Removes one reference to the value."""
        value.names -= 1
        if value.names:
            return
        arrived = not value.live or value.tensor._ready()
        value.tensor = None
        if self._dies(value):
            self._dropped(value.bytes, arrived)

    def _dropped(self, bytes, arrived):
        if not self.keeps:
            self.gone += 1
            return
        self.retained += 1
        self.retained_most += bytes
        self.retained_least += bytes if arrived else 0  # a value dropped before it was computed is not charged

    def refused(self):
        """Records an operation refused because of a stored asynchronous error: only the handle of its output was
        made.
        """
        self.created += 1
        self._dropped(0, True)

    def end(self):
        """Ends all values; the tensor objects stay."""
        for value in (*self.values, *(value for _, value in self.exports if value is not None)):
            if self._dies(value):
                self.invalidated += 1
        self.gone += self.retained
        self.retained = self.retained_least = self.retained_most = 0
        self.failed = False

    def settle(self):
        """Waits until no operation is pending and no value is queued."""
        if self.closed:
            return
        if self.usable:
            self.session.synchronize()
        self.session.collect()
        self.session.flush()

    def check(self):
        """The statistics equal the model's, and so do the numbers of values in each state found by a full count."""
        session = self.session
        if self.background and not self.held and not self.closed:
            session.flush()
        quiet = not self.is_async or session.pending_ops == 0
        stats = session.stats()
        count = self.hold.recount()
        assert stats.created == self.created
        assert stats.created == stats.live + stats.queued + stats.retained + stats.freed + stats.invalidated
        assert stats.live == count["live"] == self.live
        assert stats.retained == count["retained"] == self.retained
        assert stats.queued == count["queued"]
        assert stats.freed + stats.queued == self.gone
        assert stats.invalidated == self.invalidated
        assert self.hold.hits("in_deleter") == stats.freed + stats.invalidated  # each freed exactly once
        assert stats.exported_bytes == sum(array.nbytes for array, _ in self.exports)
        assert stats.free_errors == 0
        if not quiet:
            return
        assert stats.active_ops == 0
        assert stats.live_bytes == count["live_bytes"] == self.live_bytes
        assert stats.retained_bytes == count["retained_bytes"]
        assert self.retained_least <= stats.retained_bytes <= self.retained_most
        assert stats.queued_bytes == count["queued_bytes"]
