"""Threads that tests hold inside the engine, and waiting for what others do."""

import contextvars
import threading

from watched_sessions import hold_of

import tinytf as tf


def until(session, state):
    """Waits until the session is in that state."""
    while session.stats().state != state:
        pass


class AtPoint:
    """Holds the first thread that comes to a point of the session's core, until `let_go`."""

    def __init__(self, session, point):
        self._hold = hold_of(session)
        self._point = point
        self._came, self._go_on = threading.Event(), threading.Event()
        self._hold.set_failpoint(point, self._stay)

    def _stay(self):
        self._hold.set_failpoint(self._point, None)
        self._came.set()
        self._go_on.wait()

    def wait(self):
        """Until a thread is held."""
        self._came.wait()

    def let_go(self):
        self._go_on.set()


class RunningOperation:
    """An operation of the session that is inside until `let_go`, on a thread of its own."""

    def __init__(self, session):
        self._held = AtPoint(session, "take_handle")
        self.result = None
        self._thread = threading.Thread(target=contextvars.copy_context().run, args=(self._run,))
        self._thread.start()
        self._held.wait()

    def _run(self):
        try:
            self.result = tf.constant([1.0, 2.0])
        except tf.eager.SessionClosedError as error:
            self.result = error

    def let_go(self):
        self._held.let_go()
        self._thread.join()


class HeldNode:
    """The session's thread for asynchronous operations is inside a node until `let_go`."""

    def __init__(self, session):
        came, self._go_on = threading.Event(), threading.Event()
        hold_of(session).push_node(lambda: (came.set(), self._go_on.wait()))
        came.wait()

    def let_go(self):
        self._go_on.set()
