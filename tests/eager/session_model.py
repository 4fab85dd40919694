"""What an eager session's figures must be, kept by a model in Python."""

import contextlib

from watched_sessions import Strategy, hold_of

import tinytf as tf


@contextlib.contextmanager
def inside(session):
    """The session's block, without closing it."""
    session.__enter__()
    try:
        yield
    finally:
        session._pop()


class Value:
    """A tensor, how often the program refers to it, and what it holds."""

    __slots__ = ("tensor", "bytes", "names", "live", "number")

    def __init__(self, tensor, bytes, number):
        self.tensor = tensor
        self.bytes = bytes
        self.names = 1
        self.live = True
        self.number = number  # each of its elements; None: the operation that should have made it failed


class Model:
    """A session and what its figures must be. With `held` the session's thread frees only when it is told to.

    `values` has a value as often as the program refers to it.
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
        self.failed = False  # an asynchronous operation has, and the error was not cleared
        self.closed = False
        self.values = []
        self.exports = []  # (array, the value whose tensor it holds or None)
        self.created = self.live = self.live_bytes = 0
        self.gone = self.invalidated = 0  # freed or queued; freed by the session's end
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
        """One array less that shares memory with a value."""
        array, value = self.exports.pop(index)
        assert array[0] == array[-1]
        del array
        if value is not None:
            self.release(value)

    def end_value(self, value):
        """The value is freed while the program refers to it."""
        if self._dies(value):
            self.gone += 1

    def _dies(self, value):
        was_live, value.live = value.live, False
        if was_live:
            self.live -= 1
            self.live_bytes -= value.bytes
        return was_live

    def drop(self, index):
        """The program refers to the value at that place no longer."""
        self.release(self.values.pop(index))

    def release(self, value):
        """One name less refers to the value."""
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
        self.retained_least += bytes if arrived else 0  # what was dropped before it came is not charged

    def refused(self):
        """After an asynchronous error an operation was refused: of its output only a handle was made."""
        self.created += 1
        self._dropped(0, True)

    def end(self):
        """All values end; the tensors stay."""
        for value in (*self.values, *(value for _, value in self.exports if value is not None)):
            if self._dies(value):
                self.invalidated += 1
        self.gone += self.retained
        self.retained = self.retained_least = self.retained_most = 0
        self.failed = False

    def settle(self):
        """Waits until nothing goes on and nothing is queued."""
        if self.closed:
            return
        if self.usable:
            self.session.synchronize()
        self.session.collect()
        self.session.flush()

    def check(self):
        """The figures are the model's, and so is the number of the session's values in each state, counted one by one."""
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
        assert self.hold.hits("in_deleter") == stats.freed + stats.invalidated  # each once
        assert stats.exported_bytes == sum(array.nbytes for array, _ in self.exports)
        assert stats.free_errors == 0
        if not quiet:
            return
        assert stats.active_ops == 0
        assert stats.live_bytes == count["live_bytes"] == self.live_bytes
        assert stats.retained_bytes == count["retained_bytes"]
        assert self.retained_least <= stats.retained_bytes <= self.retained_most
        assert stats.queued_bytes == count["queued_bytes"]
